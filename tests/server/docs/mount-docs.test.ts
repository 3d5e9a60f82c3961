import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDocsPath } from '../../../server/docs/mount-docs.ts';
import { createViewerReader } from '../../../server/docs/viewer-assets.ts';
import type { RunningServer } from '../../../server/start-server.ts';
import { proves } from '../../requirements/proves.ts';
import { checkAnswer } from '../openapi/check-answer.ts';
import { openService } from './open-service.ts';

const PROVIDER = { name: 'idp', issuerUrl: 'https://id.example.com', audience: 'berth' };
const OAUTH = {
  mode: 'oauth',
  oauth: { resourceUrl: 'https://registry.example.com', providers: [PROVIDER] },
};
const PAGES = ['/', '/docs', '/docs/api', '/favicon.ico', '/openapi.json'];

let service: RunningServer;
let guarded: RunningServer;
beforeAll(async () => {
  [service, guarded] = await Promise.all([
    openService({ site: { title: 'Acme <Registry> & "Co"' } }),
    openService({ auth: OAUTH }),
  ]);
});
afterAll(() => Promise.all([service.close(), guarded.close()]));

const get = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', ...init });

async function expectProblem(answer: Response, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ status, code });
}

describe('/openapi.json', () => {
  it(`${proves('S-4-26', 'S-5.5-01')} is readable without a token where tokens are required, and says who serves it`, async () => {
    const answer = await fetch(`${guarded.url}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', paths: { '/v1/me': {} } });
  });

  it('is cached by ETag and readable from other origins', async () => {
    const answer = await get('/openapi.json');
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const again = await get('/openapi.json', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const preflight = await get('/openapi.json', { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, OPTIONS');
  });
});

describe('the pages', () => {
  it.each(PAGES)('%s answers HEAD like GET, and refuses to be written', async (path) => {
    const [whole, head] = await Promise.all([get(path), get(path, { method: 'HEAD' })]);
    expect(head.status).toBe(whole.status);
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(await head.text()).toBe('');
    const refused = await get(path, { method: 'POST', body: '{}' });
    expect(refused.headers.get('allow')).toBe(path === '/openapi.json' ? 'GET, HEAD, OPTIONS' : 'GET, HEAD');
    await expectProblem(refused, 405, 'method_not_allowed');
  });

  it('shows the title as text', async () => {
    const html = await (await get('/')).text();
    expect(html).toContain('<h1>Acme &lt;Registry&gt; &amp; &quot;Co&quot;</h1>');
    expect(html).not.toContain('<Registry>');
  });

  it('allows on / nothing inline but its own style', async () => {
    const answer = await get('/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await answer.text()) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${digest}';`);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  it('names no registry in the page itself, and asks for a token where one is needed', async () => {
    const [free, locked] = await Promise.all([get('/'), fetch(`${guarded.url}/`)]);
    for (const html of [await free.text(), await locked.clone().text()]) {
      expect(html).not.toContain('public');
      expect(html).not.toContain('upstream');
    }
    expect(locked.status).toBe(200);
    expect(await locked.text()).toContain('<form');
    expect(await (await get('/')).text()).not.toContain('<form');
    const named = await fetch(`${guarded.url}/registry`);
    expect(named.status).toBe(401);
  });

  it('leads /docs to the reference, relatively', async () => {
    for (const [path, to] of [
      ['/docs', 'docs/api'],
      ['/docs/', 'api'],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(302);
      expect(new URL(answer.headers.get('location') ?? '', service.url + path).pathname).toBe('/docs/api');
      expect(answer.headers.get('location')).toBe(to);
    }
  });

  it('lets the files of a page be kept for ever, under addresses of their content', async () => {
    const html = await (await get('/docs/api')).text();
    const addresses = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) {
      const answer = await get(`/docs/${address}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/^(text\/javascript|text\/css|image\/svg)/);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const digest = createHash('sha256').update(bytes).digest('hex');
      expect(address).toContain(`/${digest.slice(0, 16)}/`);
    }
    await expectProblem(await get('/docs/assets/0000000000000000/api.js'), 404, 'asset_not_found');
    await expectProblem(await get('/docs/assets/x/..%2f..%2fpackage.json'), 404, 'asset_not_found');
  });

  it('goes away with site.enabled: false, and leaves the document', async () => {
    const quiet = await openService({ site: { enabled: false } });
    try {
      for (const path of ['/', '/docs', '/docs/', '/docs/api', '/docs/assets/x/api.js']) {
        await expectProblem(await fetch(quiet.url + path, { redirect: 'manual' }), 404, 'site_disabled');
      }
      const document = await fetch(`${quiet.url}/openapi.json`);
      expect(document.status).toBe(200);
    } finally {
      await quiet.close();
    }
  });

  it('lists the registries the way the page asks for them', async () => {
    const answer = await get('/registry');
    const body = await answer.json();
    checkAnswer('GET', '/registry', answer.status, body);
    expect(body).toEqual({
      registries: [{ name: 'public', description: 'For everybody.', url: `${service.url}/registry/public` }],
    });
  });
});

describe('isDocsPath', () => {
  it('covers the pages and nothing beside them', () => {
    for (const path of [...PAGES, '/docs/', '/docs/assets/x/y.js']) expect(isDocsPath(path)).toBe(true);
    for (const path of ['/docsx', '/registry', '/v1/me', '/openapi.json/', '/OPENAPI.JSON', '//docs/api']) {
      expect(isDocsPath(path)).toBe(false);
    }
  });
});

describe('the viewer', () => {
  it('is 503 while its package is missing, and found as soon as it is there', async () => {
    let installed = false;
    const read = createViewerReader((file) => {
      if (!installed) throw new Error(`no ${file}`);
      return new URL(`../../../node_modules/swagger-ui-dist/${file}`, import.meta.url).pathname;
    });
    await expect(read()).rejects.toMatchObject({ status: 503, code: 'api_page_unavailable' });
    installed = true;
    const { script } = await read();
    expect(script.address).toMatch(/^[0-9a-f]{16}\/swagger-ui-bundle\.js$/);
    expect(await read()).toBe(await read());
  });
});
