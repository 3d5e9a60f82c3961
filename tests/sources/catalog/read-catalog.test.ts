import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { Catalog } from '../../../sources/model/entry.ts';
import { proves } from '../../requirements/proves.ts';
import { fetchedFile, publisherMeta, server, skill } from './fetched-text.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const read = (value: unknown, options = {}): Catalog =>
  readCatalog(fetchedFile(typeof value === 'string' ? value : JSON.stringify(value)), {
    sourceName: 'src',
    ...options,
  });
const keys = (catalog: Catalog) =>
  catalog.entries.map((entry) => `${entry.type} ${entry.name}@${entry.version}`);

function errorOf(text: string, path = 'registry.json'): BerthError {
  try {
    readCatalog(fetchedFile(text, path), { sourceName: 'src' });
  } catch (error) {
    if (error instanceof BerthError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('forms of a catalog', () => {
  const upstream = (data: unknown) => ({
    version: '1.0.0',
    meta: { last_updated: '2026-01-01T00:00:00Z' },
    data,
  });

  it(`${proves('C-3-01', 'C-3-02', 'C-3-03')} reads an upstream registry file with servers, skills or both, and passes groups over`, () => {
    expect(keys(read(upstream({ servers: [server('a/b')], groups: [{ name: 'g' }] })))).toEqual([
      'server a/b@1.0.0',
    ]);
    expect(keys(read(upstream({ skills: [skill('n1', 's')] })))).toEqual(['skill n1/s@1.0.0']);
    expect(keys(read(upstream({ skills: [skill('abc', 's')], servers: [server('a/b')] })))).toEqual([
      'server a/b@1.0.0',
      'skill abc/s@1.0.0',
    ]);
    expect(read(upstream({ servers: [], skills: null }))).toEqual({ entries: [], rejected: [] });
  });

  it(`${proves('C-3-04')} reads a listing with what the upstream registry says of each version`, () => {
    const item = {
      server: server('a/b', { _meta: publisherMeta({ tags: ['x'] }) }),
      _meta: {
        [OFFICIAL]: {
          status: 'deleted',
          statusMessage: 'gone',
          publishedAt: '2025-01-02T03:04:05Z',
          updatedAt: '2025-02-02T00:00:00Z',
          statusChangedAt: '2025-03-02T00:00:00.5Z',
          isLatest: true,
        },
        'dev.berth/origin': { source: 'other' },
        'com.vendor/scan': { score: 3 },
      },
    };
    const { entries, rejected } = read({ servers: [item], metadata: { count: 1 } });
    expect(rejected).toEqual([]);
    expect(entries[0]).toMatchObject({
      status: 'deleted',
      statusMessage: 'gone',
      publishedAt: Date.UTC(2025, 0, 2, 3, 4, 5),
      updatedAt: Date.UTC(2025, 1, 2),
      statusChangedAt: Date.UTC(2025, 2, 2, 0, 0, 0, 500),
      tags: ['x'],
    });
    expect(entries[0]?.vendorMeta).toEqual({ 'com.vendor/scan': { score: 3 } });
    expect(entries[0]?.body).toEqual(item.server);
  });

  it('reads skills beside the servers of a listing', () => {
    const meta = {
      [OFFICIAL]: { status: 'deprecated', publishedAt: '2025-01-01T00:00:00Z' },
      'dev.berth/origin': {},
      'x/y': 1,
    };
    const { entries, rejected } = read({
      servers: [],
      skills: [skill('abc', 's', { status: 'active', _meta: meta })],
      metadata: {},
    });
    expect(rejected).toEqual([]);
    expect(entries[0]).toMatchObject({
      name: 'abc/s',
      status: 'deprecated',
      publishedAt: Date.UTC(2025, 0, 1),
    });
    expect(entries[0]?.body).toEqual({ ...skill('abc', 's'), _meta: { 'x/y': 1 } });
  });

  it('reads a deleted skill out of our own dump', () => {
    const { entries, rejected } = read({
      skills: [skill('abc', 's', { status: 'deleted', _meta: { [OFFICIAL]: { status: 'deleted' } } })],
    });
    expect(rejected).toEqual([]);
    expect(entries[0]?.status).toBe('deleted');
  });

  it('rejects a status no registry has', () => {
    expect(
      read({ servers: [{ server: server('a/b'), _meta: { [OFFICIAL]: { status: 'odd' } } }] }).rejected[0]
        ?.reason,
    ).toBe('status: must be active, deprecated or deleted, not odd');
  });

  it('reads the envelope of the first registries', () => {
    const item = {
      server: server('a/b'),
      'x-io.modelcontextprotocol.registry': { published_at: '2023-06-15T10:30:00Z' },
    };
    expect(read({ servers: [item] }).entries[0]).toMatchObject({
      publishedAt: Date.UTC(2023, 5, 15, 10, 30),
      status: 'active',
    });
  });

  it(`${proves('C-3-05', 'C-3-06')} reads one server.json, one envelope, and an array`, () => {
    expect(keys(read(server('a/b')))).toEqual(['server a/b@1.0.0']);
    expect(keys(read({ server: server('a/b'), _meta: {} }))).toEqual(['server a/b@1.0.0']);
    expect(keys(read([server('a/b'), server('a/c')]))).toEqual(['server a/b@1.0.0', 'server a/c@1.0.0']);
    const yaml = fetchedFile('name: a/y\ndescription: d\nversion: 1.0.0\n', 'server.yaml');
    expect(keys(readCatalog(yaml, { sourceName: 'src' }))).toEqual(['server a/y@1.0.0']);
  });

  it('reads YAML by content, whatever the file is called', () => {
    const text =
      'data:\n  servers:\n    - name: a/b\n      description: d\n      version: "1.0"\n    - name: a/c\n      description: ""\n      version: 1.0.0\n';
    const catalog = readCatalog(fetchedFile(text, 'registry.json'), { sourceName: 'src' });
    expect(catalog.entries[0]).toMatchObject({ name: 'a/b', version: '1.0', line: 3 });
    expect(catalog.rejected).toEqual([
      { file: 'registry.json', line: 6, reason: 'description: must have at least 1 character' },
    ]);
  });

  it('reads JSON with a byte order mark, CRLF and blank lines around it', () => {
    const text = `\uFEFF\r\n\r\n${JSON.stringify([server('a/b'), server('a/c')], null, 2).replaceAll('\n', '\r\n')}\r\n\r\n`;
    expect(read(text).entries.map((entry) => entry.line)).toEqual([4, 9]);
  });
});

describe('a catalog that cannot be read', () => {
  it.each([
    ['{"data": {\n  "servers": [\n', 'registry.json', 3, 1],
    ['{"data": {},}', 'registry.json', 1, 13],
    ['data: [a\nb: c', 'registry.yaml', 2, 2],
    [' \n', 'registry.json', 1, 1],
    ['<!doctype html>', 'registry.json', 1, 1],
    ['{"hello": 1}', 'registry.json', 1, 1],
    ['{"data": {"servers": {"a": {}}}}', 'registry.json', 1, 1],
  ])('says where %j goes wrong', (text, path, line, column) => {
    const error = errorOf(text, path);
    expect(error.code).toBe('catalog_unreadable');
    expect(error.at).toMatchObject({ file: path, line });
    expect(error.at?.column).toBeGreaterThanOrEqual(path.endsWith('.yaml') ? 1 : column);
    expect(error.fix).toBeTruthy();
  });

  it('names the known forms', () => {
    expect(errorOf('{"hello": 1}').describe()).toContain('{servers: [{server, _meta}], metadata}');
  });

  it('refuses bytes that are no text', () => {
    const files = [{ path: 'r.json', bytes: new Uint8Array([0xff, 0xfe, 0x00]) }];
    expect(() =>
      readCatalog({ layout: 'file', files, origin: { kind: 'file' }, digest: '' }, { sourceName: 's' }),
    ).toThrow(BerthError);
  });

  it('refuses YAML aliases that grow without bound', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(',')}]\n`;
    const bomb = `${level('a', 'x')}${level('b', '*a')}${level('c', '*b')}${level('d', '*c')}servers: [*d]\n`;
    expect(errorOf(bomb, 'r.yaml').code).toBe('catalog_unreadable');
  });
});

describe('entries that are left out', () => {
  it(`${proves('C-3-15')} rejects an invalid entry alone, with its line`, () => {
    const text = `{"data":{"servers":[\n${JSON.stringify(server('a/b'))},\n\n${JSON.stringify(server('a/c', { description: '' }))},\n7]}}`;
    const { entries, rejected } = read(text);
    expect(entries.map((entry) => entry.name)).toEqual(['a/b']);
    expect(rejected).toEqual([
      { file: 'registry.json', line: 4, reason: 'description: must have at least 1 character' },
      { file: 'registry.json', line: 5, reason: 'must be an object' },
    ]);
  });

  it(`${proves('C-3-19')} keeps the first of two equal versions and reports the second`, () => {
    const text = `[${JSON.stringify(server('a/b', { title: 'first' }))},\n${JSON.stringify(server('a/b', { title: 'second' }))},\n${JSON.stringify(server('a/b', { version: '2.0.0' }))}]`;
    const { entries, rejected } = read(text);
    expect(entries.map((entry) => entry.body.title ?? entry.version)).toEqual(['first', '2.0.0']);
    expect(rejected).toMatchObject([
      { line: 2, reason: 'duplicate of a/b@1.0.0 in registry.json:1; the first one is used' },
    ]);
  });

  it('does not take a skill and a server of one name for duplicates', () => {
    expect(
      read({ servers: [server('abc/s')], skills: [skill('abc', 's'), skill('abd', 's')] }).rejected,
    ).toEqual([]);
  });

  it(`${proves('C-2-74')} rejects a \`_meta\` over the limit and nothing below it`, () => {
    const withMeta = (size: number) => [server('a/b', { _meta: { x: 'y'.repeat(size) } })];
    expect(read(withMeta(262_144 - '{"x":""}'.length)).rejected).toEqual([]);
    expect(read(withMeta(262_145 - '{"x":""}'.length)).rejected[0]?.reason).toMatch(
      /^_meta: must have at most 262144 bytes/,
    );
    expect(read(withMeta(100), { maxMetaBytes: 50 }).entries).toEqual([]);
    expect(read([server('a/b', { packages: [], extra: 'y'.repeat(400_000) })]).entries).toHaveLength(1);
    const envelope = [{ server: server('a/b'), _meta: { 'x/y': 'y'.repeat(300) } }];
    expect(read(envelope, { maxMetaBytes: 200 }).rejected).toHaveLength(1);
  });

  it('rejects bottomless nesting alone', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = `[{"name":"a/b","description":"d","version":"1","packages":${deep}},${JSON.stringify(server('a/c'))}]`;
    const { entries, rejected } = read(text);
    expect(entries.map((entry) => entry.name)).toEqual(['a/c']);
    expect(rejected[0]?.reason).toBe('is nested too deeply');
  });

  it('takes no harm from prototype keys', () => {
    const { entries } = read(
      '[{"name":"a/b","description":"d","version":"1.0.0","__proto__":{"polluted":true},"_meta":{"__proto__":{"polluted":true}}}]',
    );
    expect(entries).toHaveLength(1);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.getPrototypeOf(entries[0]?.body)).toBe(Object.prototype);
  });
});

describe('filter', () => {
  const tagged = (name: string, ...tags: string[]) => server(name, { _meta: publisherMeta({ tags }) });
  const servers = [
    tagged('io.a/one', 'x'),
    tagged('io.a/two', 'x', 'y'),
    tagged('io.b/one', 'z', 'xz'),
    server('io.b/two'),
  ];
  const names = (filter: object) =>
    read({ servers, skills: [skill('io.a', 'one', { metadata: { tags: 'x, q' } })] }, { filter }).entries.map(
      (e) => `${e.type[1]}:${e.name}`,
    );

  it.each([
    [{ names: { include: ['io.a/*'] } }, ['e:io.a/one', 'e:io.a/two', 'k:io.a/one']],
    [{ names: { include: ['*one'], exclude: ['io.b*'] } }, ['e:io.a/one', 'k:io.a/one']],
    [{ names: { include: ['io.a/one'], exclude: ['io.a/one'] } }, []],
    [{ tags: { include: ['x'] } }, ['e:io.a/one', 'e:io.a/two', 'k:io.a/one']],
    [{ tags: { include: ['x'], exclude: ['y'] } }, ['e:io.a/one', 'k:io.a/one']],
    [{ tags: { exclude: ['x', 'z'] } }, ['e:io.b/two']],
    [{ tags: { include: ['X'] } }, []],
    [{ names: { include: ['*two'] }, tags: { include: ['y'] } }, ['e:io.a/two']],
    [{ names: { include: [] } }, ['e:io.a/one', 'e:io.a/two', 'e:io.b/one', 'e:io.b/two', 'k:io.a/one']],
  ])(`${proves('C-2-16', 'C-2-17')} %j`, (filter, expected) => {
    expect(names(filter)).toEqual(expected);
  });

  it('passes over what it leaves out, even what is invalid or a duplicate', () => {
    const list = [server('a/b'), server('a/b'), server('a/c', { description: '' })];
    expect(read(list, { filter: { names: { exclude: ['a/*'] } } })).toEqual({ entries: [], rejected: [] });
  });
});
