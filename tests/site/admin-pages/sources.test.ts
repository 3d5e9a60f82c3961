import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import {
  type AdministeredService,
  FIRST_TOOLS,
  server,
  startAdministeredService,
} from './administered-service.ts';

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
});
afterAll(() => service.close());

const TOOLS = '/admin/sources/tools';
const names = async () => {
  const { json } = await service.call('reader', 'GET', '/registry/company/v0.1/servers?source=tools');
  return json.servers.map((item: { server: { name: string } }) => item.server.name);
};

/** Writes another catalog and waits until a form has brought it in: the file is watched too. */
async function changeTools(catalog: object, expected: readonly string[]): Promise<void> {
  service.writeTools(catalog);
  await waitUntil(async () => JSON.stringify(await names()) === JSON.stringify(expected), 'the new catalog');
}

describe('the page of a source', () => {
  it('tells file, line and reason of each rejected entry, and what is served', async () => {
    const { text } = await service.visitor('operator').get(TOOLS);
    expect(text).toContain('File Line Reason tools.json 1 description: is missing');
    expect(text).toMatch(/Bundle that is served sha256:[0-9a-f]{12}/);
    expect(text).toContain('Interval 1h0m0s');
    expect(text).toMatch(/Next attempt about \d/);
    expect(text).toContain('Changed in the configuration file');
  });

  it('offers no sync of what is pushed', async () => {
    const visitor = service.visitor('operator');
    expect((await visitor.get(TOOLS)).text).toContain('Sync now');
    expect((await visitor.get('/admin/sources/published')).text).not.toContain('Sync now');
    const refused = await visitor.post('/admin/sources/published', { action: 'sync' });
    expect(refused.status).toBe(409);
  });

  it('syncs when asked, as often as asked', async () => {
    const visitor = service.visitor('operator');
    const before = await service.call('operator', 'GET', '/v1/sources/tools');
    for (let times = 0; times < 2; times += 1) {
      const page = await visitor.send(TOOLS, { action: 'sync' });
      expect(page.status).toBe(200);
      expect(page.text).toContain('The source is being synced.');
    }
    await waitUntil(async () => {
      const { json } = await service.call('operator', 'GET', '/v1/sources/tools');
      const { phase, lastAttemptTime } = json.status;
      return phase === 'complete' && lastAttemptTime > before.json.status.lastAttemptTime;
    }, 'the sync');
  });

  it('goes back to an earlier bundle, only when that is confirmed', async () => {
    const visitor = service.visitor('operator');
    await changeTools({ servers: [...FIRST_TOOLS.servers, server('io.acme/added')] }, [
      'io.acme/added',
      'io.acme/maps',
      'io.acme/weather',
    ]);
    const { html } = await visitor.get(TOOLS);
    const hash = /name="hash" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
    expect(hash).not.toBe('');
    const unsure = await visitor.post(TOOLS, { action: 'rollback', hash });
    expect(unsure.status).toBe(400);
    expect(unsure.text).toContain('Tick the box');
    expect(await names()).toContain('io.acme/added');
    const page = await visitor.send(TOOLS, { action: 'rollback', hash, confirm: 'yes' });
    expect(page.text).toContain('The earlier bundle is served now.');
    expect(await names()).toEqual(['io.acme/maps', 'io.acme/weather']);
    // The same form once more: it is what is served already.
    expect((await visitor.post(TOOLS, { action: 'rollback', hash, confirm: 'yes' })).status).toBe(303);
    expect(await names()).toEqual(['io.acme/maps', 'io.acme/weather']);
    const wrong = await visitor.post(TOOLS, { action: 'rollback', hash: 'f'.repeat(64), confirm: 'yes' });
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(wrong.html).toContain('role="alert"');
  });

  it('does nothing for whoever may not see it, or for a form it does not have', async () => {
    const invisible = await service.visitor('operator').post('/admin/sources/vault', { action: 'sync' });
    expect(invisible.status).toBe(404);
    const without = await service.visitor('publisher').post(TOOLS, { action: 'sync' });
    expect(without.status).toBe(403);
    const unknown = await service.visitor('operator').post(TOOLS, { action: 'destroy' });
    expect([unknown.status, unknown.html.includes('name="csrf"')]).toEqual([400, false]);
  });
});

describe('the entries of a source', () => {
  it('are listed by pages, whoever may see them', async () => {
    const catalog = Array.from({ length: 60 }, (_, index) =>
      server(`io.acme/tool-${String(index).padStart(2, '0')}`),
    );
    service.writeTools({ servers: catalog });
    const visitor = service.visitor('operator');
    const first = await waitUntil(async () => {
      const page = await visitor.get(`${TOOLS}/entries`);
      return page.text.includes('io.acme/tool-49') && page;
    }, 'the new entries');
    expect(first.text).not.toContain('io.acme/tool-50');
    const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&#38;', '&') ?? '';
    const second = await visitor.get(next);
    expect(second.text).toContain('io.acme/tool-59');
    expect(second.text).not.toContain('io.acme/tool-49');
    expect(second.html).not.toContain('rel="next"');
    expect((await visitor.get(`${TOOLS}/entries?cursor=damaged`)).status).toBe(400);
  });

  it('lead to where a published version is changed, and to who sees it', async () => {
    const body = { server: server('io.acme/deploy'), claims: { org: 'acme' } };
    await service.call('publisher', 'POST', '/v1/entries?source=published', body);
    const chief = await service.visitor('chief').get('/admin/registries/company/entries');
    expect(chief.html).toContain(
      'href="/admin/entries/server/io.acme/deploy?version=1.0.0&#38;source=published"',
    );
    expect(chief.html).toContain('name=io.acme%2Fdeploy');
    expect(chief.html).not.toMatch(/href="\/admin\/entries\/server\/io.acme\/tool-/);
    expect(chief.text).toContain('io.acme/secret-vault');
    const operator = await service.visitor('operator').get('/admin/sources/published/entries');
    expect(operator.text).toContain('io.acme/deploy server 1.0.0');
    expect(operator.html).not.toMatch(/href="\/admin\/(?:entries\/|access)/);
  });
});
