/** A page or file as a visitor got it. */
export interface Visited {
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const LINK = /\s(?:href|src|action|data-[\w-]+)="([^"]*)"/g;
const QUOTED_PATH = /["'`](\/[\w./%?=&-]+|\.{1,2}\/[\w./%-]+)["'`]/g;
const MOST = 2000;

/**
 * Visits every address of the site that can be found from the start: links, scripts, styles, what scripts and styles
 * name, and their source maps. Never signs out, posts nothing.
 * @param get asks for a root-relative path as the visitor
 */
export async function crawlSite(
  get: (path: string) => Promise<Response>,
  starts: readonly string[],
): Promise<Visited[]> {
  const known = new Set(starts);
  const visited: Visited[] = [];
  for (const path of known) {
    const answer = await get(path);
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    visited.push({ path, status: answer.status, type, text });
    if (visited.length > MOST)
      throw new Error(`the site has more than ${MOST} addresses; the last is ${path}`);
    for (const found of findAddresses(text, type)) {
      const next = resolve(found, path);
      if (next !== undefined) known.add(next);
    }
    const location = answer.headers.get('location');
    const next = location === null ? undefined : resolve(location, path);
    if (next !== undefined) known.add(next);
    if (/\.(?:js|css)$/.test(path)) known.add(`${path}.map`);
  }
  return visited;
}

function findAddresses(text: string, type: string): string[] {
  const pattern = type.includes('html') ? LINK : /javascript|css|json/.test(type) ? QUOTED_PATH : undefined;
  if (!pattern) return [];
  const found = [...text.matchAll(pattern)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
  // Attributes of data hold words, too.
  return found.filter((address) => /^(?:\.{0,2}\/|[?#]|[\w.-]+\/)[^\s]*$/.test(address));
}

function resolve(found: string, from: string): string | undefined {
  const base = new URL(from, 'http://site.test');
  if (!URL.canParse(found, base.href)) return undefined;
  const url = new URL(found, base);
  const isOurs = url.origin === base.origin && !url.pathname.startsWith('/sign-');
  return isOurs ? url.pathname + url.search : undefined;
}
