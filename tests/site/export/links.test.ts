import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportCatalog } from './exported-catalog.ts';
import { type FileServer, serveFiles } from './serve-files.ts';

const BASE = '/some/where/';
const SERVICE = 'https://registry-of-acme.example.com/';
const ATTRIBUTE = /\s(?:href|src|action|data-index-url|data-list-href)="([^"]*)"/g;
const CSS_URL = /url\(["']?([^"')]+)/g;
const IMPORT = /(?:\bfrom|\bimport)\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

let files: ReadonlyMap<string, Buffer>;
let server: FileServer;
beforeAll(async () => {
  files = await exportCatalog(BASE);
  server = await serveFiles(files, BASE);
}, 60_000);
afterAll(() => server?.close());

interface Visit {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly from: string;
}

/** Everything that can be reached from the home page, and what is linked elsewhere. */
async function crawl(): Promise<{ visits: readonly Visit[]; outside: ReadonlySet<string> }> {
  const known = new Map([[server.url, '(start)']]);
  const visits: Visit[] = [];
  const outside = new Set<string>();
  for (const [url, from] of known) {
    const answer = await fetch(url, { redirect: 'manual' });
    const type = answer.headers.get('content-type') ?? '';
    const text = /text|json/.test(type) ? await answer.text() : '';
    visits.push({ url, status: answer.status, text, from });
    const pattern = type.startsWith('text/html') ? ATTRIBUTE : type === 'text/css' ? CSS_URL : IMPORT;
    for (const [, link = ''] of text.matchAll(pattern)) {
      if (link.startsWith('data:') || link.startsWith('#')) continue;
      const next = new URL(link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'), url);
      next.hash = '';
      next.search = '';
      if (!next.href.startsWith(server.url)) outside.add(next.href);
      else if (!known.has(next.href)) known.set(next.href, url);
    }
  }
  return { visits, outside };
}

describe('an export below a path of its own', () => {
  it('has every page and file that it links, needs no redirect and links nothing beside it', async () => {
    const { visits, outside } = await crawl();
    expect(visits.filter(({ status }) => status !== 200)).toEqual([]);
    const reached = new Set(visits.map(({ url }) => decodeURIComponent(url.slice(server.url.length))));
    const pages = [...files.keys()]
      .filter((path) => path.startsWith('catalog/') && path.endsWith('index.html'))
      .map((path) => path.slice(0, -'index.html'.length));
    expect(pages.filter((path) => !reached.has(path))).toEqual([]);
    for (const url of outside) {
      expect(url).not.toContain(new URL(server.url).host);
      if (url.startsWith(SERVICE)) expect(url).toMatch(/\/(?:docs\/api|openapi\.json)$|\/registry\//);
    }
  });

  it('offers nothing that needs a server: no sign-in, no account, no form to post', async () => {
    for (const [path, bytes] of files) {
      if (!path.endsWith('.html') || path.startsWith('docs/')) continue;
      const text = String(bytes);
      expect([path, text.match(/\/(?:sign-in|sign-out|account|admin)\b/)]).toEqual([path, null]);
      expect([path, text.match(/<form[^>]*method="post"|name="csrf"/)]).toEqual([path, null]);
    }
  });

  it('carries a policy in every page, without leave for anything inline in those of the catalog', () => {
    for (const [path, bytes] of files) {
      if (!path.endsWith('.html')) continue;
      const policies = [
        ...String(bytes).matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g),
      ];
      expect([path, policies.length]).toEqual([path, 1]);
      const policy = policies[0]?.[1] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('frame-ancestors');
      if (!path.startsWith('docs/')) expect(policy).not.toContain('unsafe');
    }
  });

  it('leads from its page of unknown paths, wherever that is shown, back to what there is', async () => {
    const answer = await fetch(new URL('no/such/page', server.url));
    expect(answer.status).toBe(404);
    const links = [...(await answer.text()).matchAll(ATTRIBUTE)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^(?:https:|#)/.test(link));
    expect(own.length).toBeGreaterThan(3);
    for (const link of own) {
      expect(link.startsWith(BASE)).toBe(true);
      expect((await fetch(new URL(link, server.url))).status).toBe(200);
    }
  });
});
