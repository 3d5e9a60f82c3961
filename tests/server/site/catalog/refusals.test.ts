import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../server/consumer/cursor.ts';
import { createCatalogReader } from '../../../../server/site/catalog/create-catalog-reader.ts';
import { makeServer } from '../../../support/make-entry.ts';
import { makeIdentity } from '../../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../../support/make-world.ts';
import { admitted, NO_FILTERS } from './walk-pages.ts';

const servers = ['a/a', 'b/b', 'c/c'].map((name) => makeServer(name));
const world = makeWorld({
  open: { segments: [await makeSegment('s', servers, { org: 'acme' })], claims: { org: 'acme' } },
  closed: { segments: [await makeSegment('t', servers, { org: 'acme' })], claims: { org: 'umbra' } },
});

function open(identity = makeIdentity({ org: 'acme' })) {
  return createCatalogReader({ world: () => world, identity, baseUrl: 'https://mcp.example.com' });
}

describe('createCatalogReader', () => {
  it('refuses everything to who must sign in', () => {
    const reader = createCatalogReader({ world: () => world, identity: undefined, baseUrl: '' });
    const answers = [
      reader.listRegistries(),
      reader.listEntries('open', NO_FILTERS),
      reader.listEntries('gone', NO_FILTERS),
      reader.readEntry('open', 'server', 'a/a', undefined),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ refused: true, status: 401, code: 'unauthenticated' });
    expect(JSON.stringify(answers)).not.toContain('a/a');
  });

  it('lists the registries the viewer may enter, in their order', () => {
    expect(open().listRegistries()).toEqual([
      {
        name: 'open',
        description: undefined,
        url: 'https://mcp.example.com/registry/open',
        servers: 3,
        skills: 0,
      },
    ]);
    expect(open(makeIdentity({}, { unrestricted: true })).listRegistries()).toHaveLength(2);
  });

  it('refuses a registry that does not exist, and one that is closed to the viewer', () => {
    for (const registry of ['gone', '__proto__', '']) {
      expect(open().listEntries(registry, NO_FILTERS)).toMatchObject({
        status: 404,
        code: 'registry_not_found',
      });
    }
    expect(open().listEntries('closed', NO_FILTERS)).toMatchObject({
      status: 403,
      code: 'registry_forbidden',
    });
    const forbidden = { refused: true, status: 403, code: 'registry_forbidden' };
    expect(open().readEntry('closed', 'server', 'a/a', undefined)).toMatchObject(forbidden);
    expect(open().readEntry('closed', 'server', 'not a name', undefined)).toMatchObject(forbidden);
  });

  it.each([
    ['not a name', undefined, 400, 'name_invalid'],
    ['a/a', ' ', 400, 'version_invalid'],
    ['a/a', '1\n', 400, 'version_invalid'],
    ['a/../b', undefined, 400, 'name_invalid'],
    ['a/\ud800', undefined, 404, 'server_not_found'],
    ['a/\0', undefined, 400, 'path_encoding_invalid'],
    ['a/x', undefined, 404, 'server_not_found'],
    ['a/a', '9.9.9', 404, 'server_not_found'],
  ])('refuses %j in version %j with %s %s', (name, version, status, code) => {
    expect(open().readEntry('open', 'server', name, version)).toMatchObject({ refused: true, status, code });
  });

  it('takes the cursors it gave out, and those of no other list', () => {
    const reader = open();
    const first = admitted(reader.listEntries('open', NO_FILTERS, 1));
    const second = admitted(reader.listEntries('open', { ...NO_FILTERS, cursor: first.next }, 1));
    expect(second.entries.map(({ name }) => name)).toEqual(['b/b']);
    const search = admitted(reader.listEntries('open', { ...NO_FILTERS, q: 'about' }, 1));
    const further = { ...NO_FILTERS, q: 'about', cursor: search.next };
    expect(admitted(reader.listEntries('open', further, 1)).entries).toHaveLength(1);
    const wrong = [
      { cursor: 'damaged' },
      { cursor: search.next },
      { cursor: first.next, q: 'about' },
      { cursor: search.next, q: 'other' },
      { cursor: first.next, tag: 'data' },
      { cursor: first.next, type: 'skill' as const },
      {
        q: 'about',
        cursor: encodeCursor({
          filters: { type: 'server', search: 'about', includeDeleted: false },
          after: { name: 'a/a', version: '1.0.0' },
        }),
      },
    ];
    for (const given of wrong) {
      expect(reader.listEntries('open', { ...NO_FILTERS, ...given }, 1)).toMatchObject({
        status: 400,
        code: 'cursor_invalid',
      });
    }
  });
});
