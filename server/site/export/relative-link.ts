/**
 * The way from a page to another place of the same export, so that it works below any path.
 * @param from the folder of the page, root-relative, ending in `/`
 * @param to root-relative, with query and fragment where it has them
 */
export function relativeLink(from: string, to: string): string {
  const end = to.search(/[?#]/);
  const [path, rest] = end < 0 ? [to, ''] : [to.slice(0, end), to.slice(end)];
  const [here, there] = [from.split('/'), path.split('/')];
  const last = Math.min(here.length, there.length) - 1;
  let shared = 0;
  while (shared < last && here[shared] === there[shared]) shared++;
  const way = '../'.repeat(here.length - 1 - shared) + there.slice(shared).join('/');
  // Without `./` a first segment with a colon would be a scheme, and an empty way the page with its query.
  return `${way === '' || /^[^/]*:/.test(way) ? './' : ''}${way}${rest}`;
}
