import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBuiltSite } from '../../../server/site/built-site.ts';
import type { RunningServer } from '../../../server/start-server.ts';
import { proves } from '../../requirements/proves.ts';
import { openService } from '../docs/open-service.ts';
import { writeBuiltSite } from './write-built-site.ts';

const INLINE = 'document.documentElement.dataset.theme = "dark";';
const FILES = {
  'docs/start/index.html': `<!doctype html><script>${INLINE}</script><script src="/_astro/a.1.js"></script><p>Start`,
  '_astro/a.1.js': 'console.log(1);',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const SETTINGS = { site: { title: 'Acme tools', baseUrl: 'https://mcp.acme.example/' } };
const PROVIDER = { name: 'idp', issuerUrl: 'https://id.example.com', audience: 'berth' };
const OAUTH = { oauth: { resourceUrl: 'https://registry.example.com', providers: [PROVIDER] } };

let dir: { path: string; remove: () => void };
let service: RunningServer;
let guarded: RunningServer;
beforeAll(async () => {
  dir = writeBuiltSite(FILES);
  const open = () => openBuiltSite(dir.path);
  [service, guarded] = await Promise.all([openService(SETTINGS, open), openService({ auth: OAUTH }, open)]);
});
afterAll(async () => {
  await Promise.all([service.close(), guarded.close()]);
  dir.remove();
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', ...init });
// biome-ignore lint/suspicious/noExplicitAny: tests assert on answers, they do not describe them
const read = async (answer: Response): Promise<any> => JSON.parse(await answer.text());
const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? '';

describe('a page of the site', () => {
  it(`${proves('C-1-33', 'C-2-78')} is rendered with the title and base URL of the configuration`, async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await read(answer)).toMatchObject({
      pathname: '/',
      title: 'Acme tools',
      baseUrl: 'https://mcp.acme.example',
      viewer: { kind: 'open', canSignIn: false },
      registries: [{ name: 'public', url: 'https://mcp.acme.example/registry/public' }],
    });
  });

  it('may load nothing but files of this service, and run or style nothing inline', async () => {
    const policy = policyOf(await get('/'));
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "style-src-attr 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toMatch(/https?:|unsafe/);
  });

  it('is validated by its ETag, compressed, and not shared between callers by caches', async () => {
    const answer = await get('/', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('vary')).toContain('Cookie');
    const etag = answer.headers.get('etag') ?? '';
    expect((await get('/', { headers: { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' } })).status).toBe(
      304,
    );
  });

  it('answers HEAD without a body, and posted forms only where there are some', async () => {
    const head = await get('/catalog/public', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const refused = await get('/catalog/public', { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await read(refused)).problem.code).toBe('method_not_allowed');
    const posted = await get('/admin/publish', { method: 'POST', body: new URLSearchParams({ name: 'x' }) });
    expect((await read(posted)).posted).toBe('name=x');
    expect((await get('/admin', { method: 'DELETE' })).status).toBe(405);
  });

  it('takes no form that another site posts through a visitor', async () => {
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
      const body = new URLSearchParams({ name: 'x' });
      const answer = await get('/admin/publish', { method: 'POST', body, headers });
      expect(answer.status).toBe(403);
      expect((await read(answer)).problem.code).toBe('csrf_refused');
    }
  });

  it('that breaks is a 500 as elsewhere, and tells nothing of the inside', async () => {
    const answer = await get('/catalog/broken');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('breaks');
  });

  it('calls the API as its viewer', async () => {
    const open = await read(await get('/account'));
    expect(open.me).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
  });

  it('counts once against the limit of its caller, whatever it asks of the API', async () => {
    const limits = { rateLimit: { perMinute: 60, burst: 3 } };
    const limited = await openService({ limits }, () => openBuiltSite(dir.path));
    try {
      const statuses: number[] = [];
      for (let visit = 0; visit < 4; visit += 1)
        statuses.push((await fetch(`${limited.url}/account`)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  it('is shown to a stranger without anything of the catalog', async () => {
    const answer = await read(await fetch(`${guarded.url}/`));
    expect(answer.viewer).toMatchObject({ kind: 'stranger', claims: {}, roles: [] });
    expect(answer.registries).toMatchObject({ refused: true, status: 401 });
  });
});

describe('a file of the site', () => {
  it('is a page that may run just the scripts it was built with', async () => {
    const answer = await get('/docs/start/');
    expect(await answer.text()).toContain('Start');
    expect(policyOf(answer)).toContain(`'sha256-${hash('sha256', INLINE, 'base64')}'`);
    expect(policyOf(answer)).not.toContain("script-src 'self' 'unsafe");
  });

  it('is found by the address without its slash', async () => {
    const answer = await get('/docs/start');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'start/']);
  });

  it('is kept for ever when its name tells its content', async () => {
    expect((await get('/_astro/a.1.js')).headers.get('cache-control')).toContain('immutable');
    expect((await get('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await get('/favicon.svg', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/_astro/../server/entry.mjs',
    '/_astro/%2e%2e/%2e%2e/server/entry.mjs',
    '/docs/..%2f..%2fserver',
  ])('is nothing but a file of the build: %s', async (path) => {
    const answer = await get(path);
    expect(await answer.text()).not.toContain('renderPage');
  });
});

describe('the site', () => {
  it(`${proves('C-2-77')} is off when the configuration says so`, async () => {
    const off = await openService({ site: { enabled: false } }, () => openBuiltSite(dir.path));
    try {
      for (const path of ['/', '/catalog/public', '/docs/start/', '/account', '/favicon.svg']) {
        expect((await fetch(off.url + path)).status, path).toBe(404);
      }
      expect((await fetch(`${off.url}/registry/public/v0.1/servers`)).status).toBe(200);
    } finally {
      await off.close();
    }
  });

  it('that was not built leaves its front page to a plain one', async () => {
    const plain = await openService();
    try {
      expect(await (await fetch(`${plain.url}/`)).text()).toContain('Registries');
      expect((await fetch(`${plain.url}/catalog/public`)).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});
