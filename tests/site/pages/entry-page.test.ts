import { describe, expect, it } from 'vitest';
import { makeCatalog } from './fake-catalog.ts';
import { openPage, SIGNED_IN } from './open-page.ts';

const PATH = '/catalog/company/servers/io.acme/notes';

describe('the page of an entry', () => {
  it('asks for the version its address names', async () => {
    const asked: unknown[] = [];
    const catalog = makeCatalog();
    const readEntry: typeof catalog.readEntry = (...what) => {
      asked.push(what);
      return catalog.readEntry(...what);
    };
    for (const path of [PATH, `${PATH}/`, `${PATH}/1.0.0%2Bbuild.1`, '/catalog/a/skills/b/c/%C3%A9'])
      await openPage(path, { catalog: { ...catalog, readEntry } });
    expect(asked).toEqual([
      ['company', 'server', 'io.acme/notes', undefined],
      ['company', 'server', 'io.acme/notes', undefined],
      ['company', 'server', 'io.acme/notes', '1.0.0+build.1'],
      ['a', 'skill', 'b/c', 'é'],
    ]);
  });

  it('shows what is in it', async () => {
    const { text } = await openPage(PATH);
    const words = text.replace(/\s+/g, ' ');
    for (const shown of [
      'Deprecated. Use another one',
      'This is not the latest version. Go to 1.3.0',
      'berth run io.acme/notes',
      'add_note',
      '@acme/notes',
      'API_KEY',
      'May reach these hosts on port 443: notes.example.com',
      'May read: /data',
      'May read and change: /out',
      'Asks for a privileged container',
      '0a1b2c3',
      '/.ci/release.yml',
      '{ "name": "io.acme/notes" }',
    ])
      expect(words).toContain(shown);
  });

  it('takes no member it does not know for what it looks like', async () => {
    const catalog = makeCatalog();
    const readEntry: typeof catalog.readEntry = (...what) => {
      const entry = catalog.readEntry(...what);
      const pack = entry.refused ? undefined : entry.server?.packages?.[0];
      if (entry.refused || !entry.server || !pack) return entry;
      const transport = { type: 'stdio' as const, url: { not: 'text' }, headers: 'not a list' };
      return { ...entry, server: { ...entry.server, packages: [{ ...pack, transport }] } };
    };
    const page = await openPage(PATH, { catalog: { ...catalog, readEntry } });
    expect([page.status, page.text.includes('@acme/notes')]).toEqual([200, true]);
  });

  it('explains who sees it to super-admins only', async () => {
    const links = async (roles: typeof SIGNED_IN.roles) =>
      (await openPage(PATH, { viewer: { ...SIGNED_IN, roles } })).elements
        .filter(({ name, text }) => name === 'a' && text === 'Who sees this?')
        .map(({ attributes }) => attributes.href);
    expect(await links(['superAdmin'])).toEqual([
      '/admin/access?registry=company&type=server&name=io.acme%2Fnotes',
    ]);
    expect(await links(['manageEntries'])).toEqual([]);
  });
});
