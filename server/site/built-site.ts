import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Rendered } from '../http/rendered.ts';
import { renderStaticFile } from './render-static-file.ts';
import type { SiteLocals } from './site-locals.ts';

/** What `site/adapter/render-page.mjs` exports from the build. */
type RenderPage = (request: Request, locals: { readonly berth: SiteLocals }) => Promise<Response>;

/** The built pages: rendered ones and files. */
export interface BuiltSite {
  renderPage(request: Request, locals: SiteLocals): Promise<Response>;
  /** The file at a decoded path such as `/docs/start/install/` or `/_astro/page.css`; undefined when there is none. */
  readFile(path: string): Promise<Rendered | undefined>;
  /** Paths of all files, `index.html` left out of their names. */
  readonly paths: readonly string[];
}

/**
 * Opens what `npm run build` made of `site/`.
 * @param dir where it is; by default beside the command, or where BERTH_SITE_DIR says
 * @returns undefined when the site was not built
 */
export async function openBuiltSite(
  dir: string | undefined = findBuiltSite(),
): Promise<BuiltSite | undefined> {
  if (dir === undefined) return undefined;
  const client = join(dir, 'client');
  const [files, entry] = await Promise.all([
    listFiles(client),
    importEntry(join(dir, 'server', 'entry.mjs')),
  ]);
  const started = Date.now();
  const read = new Map<string, Promise<Rendered>>();
  return {
    renderPage: (request, locals) => entry(request, { berth: locals }),
    paths: [...files.keys()],
    readFile: async (path) => {
      const file = files.get(path);
      if (file === undefined) return undefined;
      const known = read.get(path) ?? readFile(file).then((bytes) => renderStaticFile(path, bytes, started));
      read.set(path, known);
      return known.catch((error: unknown) => {
        read.delete(path);
        throw error;
      });
    },
  };
}

/** Seen from the built command, from one of its chunks, and from source. */
function findBuiltSite(): string | undefined {
  const candidates = ['./site/', '../site/', '../../dist/site/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const own = process.env.BERTH_SITE_DIR;
  return (own === undefined ? candidates : [own]).find((dir) => existsSync(join(dir, 'server', 'entry.mjs')));
}

async function importEntry(file: string): Promise<RenderPage> {
  const entry: { readonly renderPage: RenderPage } = await import(pathToFileURL(file).href);
  return entry.renderPage;
}

async function listFiles(dir: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const item of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const file = join(item.parentPath, item.name);
    const path = `/${relative(dir, file).split(sep).join('/')}`;
    found.set(path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : path, file);
  }
  return found;
}
