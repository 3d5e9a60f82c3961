/**
 * The address of a link that entries may have us show: https and without a user name, which would pass for the host.
 * Undefined for anything else.
 */
export function linkTo(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' ? href : undefined;
}
