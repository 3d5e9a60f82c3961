import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdministeredService, server, startAdministeredService } from './administered-service.ts';

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
});
afterAll(() => service.close());

let count = 0;
/** Publishes an entry of its own for a test. */
async function publish(more: object = {}): Promise<{ name: string; path: string }> {
  count += 1;
  const name = `io.acme/entry-${count}`;
  const body = { server: server(name, '1.0.0', more), claims: { org: 'acme', team: 'platform' } };
  const { status } = await service.call('publisher', 'POST', '/v1/entries?source=published', body);
  expect(status).toBe(201);
  return { name, path: `/admin/entries/server/${name}?version=1.0.0` };
}
const versionsOf = async (name: string) =>
  service.call('reader', 'GET', `/registry/company/v0.1/servers/${encodeURIComponent(name)}/versions`);
const officialOf = async (name: string) =>
  (await versionsOf(name)).json.servers[0]._meta['io.modelcontextprotocol.registry/official'];

describe('the page of a published version', () => {
  it('deprecates with a message, and makes it active again', async () => {
    const { name, path } = await publish();
    const visitor = service.visitor('publisher');
    const page = await visitor.send(path, { action: 'deprecate', message: 'Use io.acme/better.' });
    expect(page.text).toContain('The version is deprecated.');
    expect(page.text).toContain('Use io.acme/better.');
    expect(await officialOf(name)).toMatchObject({
      status: 'deprecated',
      statusMessage: 'Use io.acme/better.',
    });
    await visitor.send(path, { action: 'deprecate', message: 'Use io.acme/better.' });
    const restored = await visitor.send(path, { action: 'restore' });
    expect(restored.text).toContain('The version is active again.');
    expect(await officialOf(name)).toMatchObject({ status: 'active' });
    const long = await visitor.post(path, { action: 'deprecate', message: 'x'.repeat(501) });
    expect([long.status, long.text.includes('at most 500 characters')]).toEqual([400, true]);
    expect(long.html).toContain(`value="${'x'.repeat(501)}"`);
  });

  it('deletes it, only when that is confirmed, and says so when it is gone already', async () => {
    const { name, path } = await publish();
    const visitor = service.visitor('publisher');
    expect((await visitor.post(path, { action: 'delete' })).status).toBe(400);
    expect((await versionsOf(name)).status).toBe(200);
    const page = await visitor.send(path, { action: 'delete', confirm: 'yes' });
    expect(page.text).toContain('The version is deleted for good.');
    expect((await versionsOf(name)).status).toBe(404);
    const again = await visitor.post(path, { action: 'delete', confirm: 'yes' });
    expect(again.status).toBe(404);
  });

  it('changes who sees the entry, within what the viewer holds', async () => {
    const { name, path } = await publish();
    const visitor = service.visitor('publisher');
    const change = (claims: string) => ({ action: 'claims', claims, confirm: 'yes' });
    const more = await visitor.post(path, change('{"team": "security"}'));
    expect([more.status, more.text.includes('You may only set claims')]).toEqual([403, true]);
    expect(more.html).toMatch(/<textarea[^>]*id="claims"[^>]*>[^<]*security/);
    expect((await visitor.post(path, change(''))).status).toBe(400);
    expect((await visitor.post(path, { action: 'claims', claims: 'org=acme' })).status).toBe(400);
    const page = await visitor.send(path, change('org=acme'));
    expect(page.text).toContain('The claims are changed');
    const { json } = await service.call(
      'publisher',
      'GET',
      `/v1/entries/server/${encodeURIComponent(name)}/claims`,
    );
    expect(json).toEqual({ claims: { org: 'acme' } });
  });

  it('leads elsewhere who lost sight of the entry by changing its claims', async () => {
    const { path } = await publish();
    const page = await service
      .visitor('publisher')
      .send(path, { action: 'claims', claims: '{}', confirm: 'yes' });
    expect([page.status, page.text.includes('The claims are changed')]).toEqual([200, true]);
    expect((await service.visitor('publisher').get(path)).status).toBe(404);
    expect((await service.visitor('chief').get(path)).status).toBe(200);
  });

  it('is to other teams what one that does not exist is', async () => {
    const { name, path } = await publish();
    const visitor = service.visitor('dataPublisher');
    const page = await visitor.get(path);
    const none = await visitor.get(path.replace(/entry-\d+/, 'nothing'));
    expect([page.status, none.status]).toEqual([404, 404]);
    expect(page.text).toBe(none.text);
    for (const fields of [
      { action: 'deprecate' },
      { action: 'delete', confirm: 'yes' },
      { action: 'claims', claims: 'org=acme', confirm: 'yes' },
    ]) {
      const refused = await visitor.post(path, fields);
      expect(refused.status).toBe(404);
      expect(refused.html).not.toContain('platform');
    }
    expect(await officialOf(name)).toMatchObject({ status: 'active' });
  });

  it('shows hostile titles and messages as text', async () => {
    const { path } = await publish({ title: '<img src=x onerror=alert(1)>' });
    const page = await service
      .visitor('publisher')
      .send(path, { action: 'deprecate', message: '<script>alert(2)</script>' });
    expect(page.markup).not.toMatch(/<img src=x|<script>alert/);
    expect(page.text).toContain('<img src=x onerror=alert(1)>');
  });

  it('finds a version whose text holds what addresses give a meaning to', async () => {
    const version = '1.0.0+a%2Fb c?d#e&f';
    const body = { server: server('io.acme/build', version), claims: { org: 'acme' } };
    const published = await service.call('publisher', 'POST', '/v1/entries?source=published', body);
    expect(published.status).toBe(201);
    const visitor = service.visitor('publisher');
    const unnamed = await visitor.get('/admin/entries/server/io.acme/build');
    expect(unnamed.headers.get('location')).toBe('/admin/entries?type=server&name=io.acme%2Fbuild');
    const found = await visitor.get('/admin/entries?type=server&name=io.acme%2Fbuild');
    expect(found.status).toBe(303);
    const page = await visitor.get(found.headers.get('location') ?? '');
    expect([page.status, page.text.includes(version)]).toEqual([200, true]);
    const gone = await visitor.send(found.headers.get('location') ?? '', {
      action: 'delete',
      confirm: 'yes',
    });
    expect(gone.text).toContain('is deleted for good');
  });

  it('is found by the name of the entry, unless that comes from a synced source', async () => {
    const { name, path } = await publish();
    const visitor = service.visitor('publisher');
    const find = (wanted: string) =>
      visitor.get(`/admin/entries?type=server&name=${encodeURIComponent(wanted)}`);
    expect((await find(name)).headers.get('location')).toBe(`${path}&source=published`);
    const synced = await find('io.acme/weather');
    expect([synced.status, synced.text.includes('comes from a synced source')]).toEqual([404, true]);
    expect((await find('io.acme/secret-vault')).text).toContain('No registry shows you');
  });

  it('is led to from the catalog, for whoever may change it', async () => {
    const { name, path } = await publish();
    const link = `href="${path}&#38;source=published"`;
    const shown = async (persona: 'chief' | 'publisher' | 'operator' | 'reader', entry: string) =>
      (await service.visitor(persona).get(`/catalog/company/servers/${entry}`)).html.includes(link);
    expect(await shown('publisher', name)).toBe(true);
    expect(await shown('chief', name)).toBe(true);
    expect(await shown('operator', name)).toBe(false);
    expect(await shown('reader', name)).toBe(false);
    const synced = await service.visitor('chief').get('/catalog/company/servers/io.acme/weather');
    expect([synced.status, synced.text.includes('Change this version')]).toEqual([200, false]);
  });
});
