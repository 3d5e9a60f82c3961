import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRegistry } from '../../../cli/registry/open-registry.ts';
import { compileBundle } from '../../../sources/bundle/compile-bundle.ts';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { proves } from '../../requirements/proves.ts';
import { enterDirectory, listServers, makeServerJson } from '../working-directory.ts';
import { openLoopbackRegistry } from './loopback-registry.ts';

const server = (name: string, version = '1.0.0') => ({ name, version, description: `About ${name}` });
const SERVERS = [
  server('io.example/echo', '2.0.0'),
  server('io.example/echo'),
  server('io.other/fetch'),
  server('io.third/fetch'),
];

describe('a registry behind a URL', () => {
  it(`${proves('K-8.3-01', 'K-2-06')} finds by name and version, below any base`, async () => {
    const { url } = await openLoopbackRegistry(SERVERS);
    for (const registry of [url, `${url}/`, `${url}/v0.1`, `${url}/v0.1/servers`]) {
      const client = await openRegistry({ registry });
      expect(await client.find('io.example/echo')).toMatchObject({
        kind: 'found',
        entry: { version: '2.0.0' },
      });
      expect(await client.find('io.example/echo', '1.0.0')).toMatchObject({
        kind: 'found',
        entry: { version: '1.0.0' },
      });
    }
  });

  it('lists each server once over all pages, and searches', async () => {
    const client = await openRegistry({ registry: (await openLoopbackRegistry(SERVERS)).url });
    expect((await client.list()).map(({ name }) => name)).toEqual([
      'io.example/echo',
      'io.other/fetch',
      'io.third/fetch',
    ]);
    expect((await client.search('fetch')).map(({ name }) => name)).toEqual([
      'io.other/fetch',
      'io.third/fetch',
    ]);
  });

  it('finds the one server a short name ends, and says when there are several', async () => {
    const client = await openRegistry({ registry: (await openLoopbackRegistry(SERVERS)).url });
    expect(await client.find('echo')).toMatchObject({ kind: 'found', entry: { name: 'io.example/echo' } });
    expect(await client.find('fetch')).toEqual({
      kind: 'ambiguous',
      names: ['io.other/fetch', 'io.third/fetch'],
    });
  });

  it('answers the nearest names and the versions there are', async () => {
    const client = await openRegistry({ registry: (await openLoopbackRegistry(SERVERS)).url });
    expect(await client.find('io.example/ecko')).toEqual({ kind: 'missing', nearest: ['io.example/echo'] });
    expect(await client.find('io.example/echo', '9.9.9')).toEqual({
      kind: 'missing',
      nearest: [],
      versions: ['2.0.0', '1.0.0'],
    });
  });

  it(`${proves('K-2-08')} sends the token of the login, or the one of the file`, async () => {
    const { path, write } = enterDirectory();
    const { url, seen } = await openLoopbackRegistry(SERVERS, 'granted');
    const denied = await openRegistry({ registry: url });
    await expect(denied.find('io.example/echo')).rejects.toMatchObject({ code: 'registry_refused' });
    const asked: string[] = [];
    const loggedIn = await openRegistry(
      { registry: url },
      {
        registryToken: async (base) => {
          asked.push(base);
          return 'granted';
        },
      },
    );
    expect(await loggedIn.find('io.example/echo')).toMatchObject({ kind: 'found' });
    expect(asked).toContain(url);
    write('token', 'granted\n');
    const byFile = await openRegistry({ registry: url, 'registry-token-file': join(path, 'token') });
    expect(await byFile.find('io.example/echo')).toMatchObject({ kind: 'found' });
    expect(seen.at(-1)?.authorization).toBe('Bearer granted');
  });

  it('says when it is away, and when it is none', async () => {
    const registry = await openLoopbackRegistry(SERVERS);
    registry.down = true;
    const client = await openRegistry({ registry: registry.url });
    await expect(client.list()).rejects.toMatchObject({ code: 'registry_unreachable' });
    const none = await openRegistry({ registry: 'http://127.0.0.1:1' });
    await expect(none.find('a/b')).rejects.toMatchObject({ code: 'registry_unreachable' });
  });
});

describe('a registry in a file', () => {
  it(`${proves('K-2-06')} may be a catalog or a compiled bundle`, async () => {
    const { path } = enterDirectory();
    const text = listServers(
      makeServerJson('io.example/echo', '1.0.0'),
      makeServerJson('io.example/echo', '1.2.0-rc.1'),
    );
    writeFileSync(join(path, 'servers.json'), text);
    const catalog = readCatalog(
      {
        layout: 'file',
        files: [{ path: 'servers.json', bytes: Buffer.from(text) }],
        origin: { kind: 'file' },
        digest: '',
      },
      { sourceName: 's' },
    );
    writeFileSync(join(path, 's.bundle'), await compileBundle(catalog));
    for (const file of ['servers.json', 's.bundle']) {
      const client = await openRegistry({ registry: join(path, file) });
      expect(await client.find('io.example/echo')).toMatchObject({
        kind: 'found',
        entry: { version: '1.0.0' },
      });
      expect(await client.find('echo', '1.2.0-rc.1')).toMatchObject({ kind: 'found' });
      expect(await client.find('io.example/eco')).toEqual({ kind: 'missing', nearest: ['io.example/echo'] });
      expect(await client.search('ABOUT echo')).toHaveLength(1);
    }
  });

  it(`${proves('K-2-07')} is the shipped sample catalog when nothing is configured`, async () => {
    const client = await openRegistry({});
    expect(client.location).toBe('sample');
    expect(await client.find('io.github.modelcontextprotocol/server-fetch')).toMatchObject({ kind: 'found' });
  });

  it('names a file that cannot be read', async () => {
    await expect(openRegistry({ registry: '/nowhere/x.json' })).rejects.toMatchObject({
      code: 'registry_file_unreadable',
      at: { file: '/nowhere/x.json' },
    });
  });
});
