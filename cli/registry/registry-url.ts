/**
 * The base of a registry: what `/v0.1/servers` comes after. A URL that goes on to there is cut. Undefined for text that
 * is no http or https URL.
 */
export function readRegistryBase(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  url.search = '';
  return url.href.replace(/\/+$/, '').replace(/\/v0(?:\.1)?(?:\/servers)?$/, '');
}
