import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Answers with what a page was given; `/catalog/broken` cannot be rendered. */
const ENTRY = `export async function renderPage(request, { berth }) {
  const { pathname } = new URL(request.url);
  if (pathname === '/catalog/broken') throw new Error('a page that breaks');
  const { viewer, title, baseUrl, problem, catalog } = berth;
  const posted = request.method === 'POST' ? await request.text() : undefined;
  const registries = catalog.listRegistries();
  const me = pathname === '/account' ? await berth.api('GET', '/v1/me') : undefined;
  return new Response(JSON.stringify({ pathname, viewer, title, baseUrl, problem, posted, registries, me }), {
    status: problem?.status ?? 200,
    headers: { 'Content-Type': 'text/html' },
  });
}
`;

/**
 * A built site of these files, whose pages tell what they were given.
 * @param files by path below `client/`
 * @returns its directory, and how to remove it
 */
export function writeBuiltSite(files: Readonly<Record<string, string>>): {
  path: string;
  remove: () => void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'berth-site-test-'));
  const all = { 'server/entry.mjs': ENTRY, ...prefix(files) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return { path: dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function prefix(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`client/${path}`, text]));
}
