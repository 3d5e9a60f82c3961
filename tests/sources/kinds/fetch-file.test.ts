import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { fileSchema } from '../../../sources/config/schema.ts';
import { createFetchFile } from '../../../sources/kinds/fetch-file.ts';
import type { Fetched } from '../../../sources/kinds/fetched.ts';
import { explainFileError } from '../../../sources/kinds/file-errors.ts';
import { locatePath } from '../../../sources/kinds/locate-path.ts';
import { isSafeInnerPath, selectCatalogFiles } from '../../../sources/kinds/select-catalog-files.ts';
import { proves } from '../../requirements/proves.ts';
import { startServer } from '../net/loopback-server.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

const fetchFile = createFetchFile({ allowPrivate: true });

function context(baseDir: string, knownDigest?: string) {
  return { baseDir, dataDir: join(baseDir, '.berth'), ...(knownDigest === undefined ? {} : { knownDigest }) };
}

function expectFetched(result: Fetched | 'unchanged'): Fetched {
  if (result === 'unchanged') throw new Error('content was expected');
  return result;
}

const read = (result: Fetched) =>
  Object.fromEntries(result.files.map((file) => [file.path, Buffer.from(file.bytes).toString()]));

describe('file source: path', () => {
  it(`${proves('C-2-19')} reads one file, shows the configured path, and says unchanged until the content changes`, async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'catalog/registry.json': '{"a":1}' });
    const first = expectFetched(await fetchFile({ path: './catalog/registry.json' }, context(dir)));
    expect(first.layout).toBe('file');
    expect(read(first)).toEqual({ 'catalog/registry.json': '{"a":1}' });
    expect(Object.keys(first.origin.files ?? {})).toEqual(['catalog/registry.json']);
    expect(await fetchFile({ path: 'catalog/registry.json' }, context(dir, first.digest))).toBe('unchanged');
    await writeFiles(dir, { 'catalog/registry.json': '{"a":2}' });
    const second = expectFetched(
      await fetchFile({ path: 'catalog/registry.json' }, context(dir, first.digest)),
    );
    expect(read(second)).toEqual({ 'catalog/registry.json': '{"a":2}' });
    expect(second.digest).not.toBe(first.digest);
  });

  it(`${proves('C-2-19')} reads what belongs to a catalog from a directory and nothing else`, async () => {
    const dir = makeDirectory();
    await writeFiles(dir, {
      'c/a/server.json': 'a',
      'c/b/server.yml': 'b',
      'c/more.json': 'm',
      'c/README.md': 'no',
      'c/skills/pdf/SKILL.md': 's',
      'c/skills/pdf/scripts/run.py': 'p',
      'c/.git/config.json': 'no',
      'c/node_modules/x/server.json': 'no',
      'c/.hidden/server.json': 'no',
    });
    const result = expectFetched(await fetchFile({ path: 'c/' }, context(dir)));
    expect(result.layout).toBe('directory');
    expect(result.files.map((file) => file.path)).toEqual([
      'c/a/server.json',
      'c/b/server.yml',
      'c/more.json',
      'c/skills/pdf/SKILL.md',
      'c/skills/pdf/scripts/run.py',
    ]);
  });

  it('follows links inside the directory, and neither links out of it nor circles', async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'secret.json': 'secret', 'c/real/server.json': 'a' });
    await symlink('../secret.json', join(dir, 'c/leak.json'));
    await symlink('..', join(dir, 'c/up'));
    await symlink('.', join(dir, 'c/self'));
    await symlink('real/server.json', join(dir, 'c/inside.json'));
    await symlink('nowhere', join(dir, 'c/dangling.json'));
    const result = expectFetched(await fetchFile({ path: 'c' }, context(dir)));
    expect(read(result)).toEqual({ 'c/inside.json': 'a', 'c/real/server.json': 'a' });
  });

  it(`${proves('C-2-19')} reads the matches of a glob, whole skills among them`, async () => {
    const dir = makeDirectory();
    await writeFiles(dir, {
      'teams/a/registry.json': 'a',
      'teams/b/registry.json': 'b',
      'teams/b/other.json': 'o',
      'teams/c/skill/SKILL.md': 's',
      'teams/c/skill/data.txt': 'd',
    });
    const registries = expectFetched(await fetchFile({ path: 'teams/*/registry.json' }, context(dir)));
    expect(read(registries)).toEqual({ 'teams/a/registry.json': 'a', 'teams/b/registry.json': 'b' });
    const skills = expectFetched(await fetchFile({ path: 'teams/**/SKILL.md' }, context(dir)));
    expect(Object.keys(read(skills))).toEqual(['teams/c/skill/SKILL.md', 'teams/c/skill/data.txt']);
    const directories = expectFetched(await fetchFile({ path: 'teams/[ab]' }, context(dir)));
    expect(Object.keys(read(directories))).toHaveLength(3);
    await expect(fetchFile({ path: 'none/*.json' }, context(dir))).rejects.toMatchObject({
      code: 'source_not_found',
    });
  });

  it('names a missing path as configured and never the host path', async () => {
    const dir = makeDirectory();
    for (const path of ['gone/registry.json', join(dir, 'deep/er/gone.json')]) {
      const error = await fetchFile({ path }, context(dir)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'source_not_found' });
      expect(JSON.stringify(error)).not.toContain(dir);
      expect(String(error)).not.toContain(dir);
    }
    expect(locatePath('/srv/berth/catalogs/team.json', dir).written).toBe('catalogs/team.json');
  });

  it('says what is wrong with a path that is there and cannot be read', async () => {
    const dir = makeDirectory();
    await symlink('loop', join(dir, 'loop'));
    await expect(fetchFile({ path: 'loop' }, context(dir))).rejects.toMatchObject({
      code: 'source_unreadable',
    });
    const denied = Object.assign(new Error(`EACCES: ${dir}`), { code: 'EACCES' });
    expect(explainFileError(denied, 'c/registry.json').describe()).toBe(
      'c/registry.json: The path may not be read. Let the user that runs Berth read it.',
    );
  });

  it('leaves a huge file out of a directory and says so, but reads it alone', async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'c/server.json': 'a' });
    await writeFile(join(dir, 'c/huge.json'), Buffer.alloc(20_000_001));
    const tree = expectFetched(await fetchFile({ path: 'c' }, context(dir)));
    expect(Object.keys(read(tree))).toEqual(['c/server.json']);
    expect(tree.skipped).toEqual([{ path: 'c/huge.json', reason: 'The file is larger than 20 MB.' }]);
    const alone = expectFetched(await fetchFile({ path: 'c/huge.json' }, context(dir)));
    expect(alone.files[0]?.bytes.byteLength).toBe(20_000_001);
  });

  it('tells within 100 ms that 4,000 files did not change, and still sees one that did', async () => {
    const dir = makeDirectory();
    const old = new Date(Date.now() - 60_000);
    await Promise.all(
      Array.from({ length: 40 }, (_, group) => mkdir(join(dir, `c/${group}`), { recursive: true })),
    );
    for (let index = 0; index < 4000; index += 1) {
      const path = join(dir, `c/${index % 40}/server-${index}.json`);
      await writeFile(path, `{"index":${index}}`);
      await utimes(path, old, old);
    }
    const first = expectFetched(await fetchFile({ path: 'c' }, context(dir)));
    expect(first.files).toHaveLength(4000);
    expect(first.origin.files).toBeUndefined();
    // Time of the processor, so that what else the machine does plays no part.
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = process.cpuUsage();
      expect(await fetchFile({ path: 'c' }, context(dir, first.digest))).toBe('unchanged');
      const used = process.cpuUsage(start);
      times.push((used.user + used.system) / 1000);
    }
    expect(Math.min(...times)).toBeLessThan(100);
    await writeFile(join(dir, 'c/7/server-7.json'), '{"index":8}');
    const second = expectFetched(await fetchFile({ path: 'c' }, context(dir, first.digest)));
    expect(second.files).toHaveLength(4000);
    expect(read(second)['c/7/server-7.json']).toBe('{"index":8}');
  }, 30_000);

  it('never selects or shows a path that leaves its root', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'SKILL.md', 'server.json', 'x\u0000', 'b\\c'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const path = parts.join('/');
        if (!isSafeInnerPath(path)) return;
        expect(join('/root', path).startsWith('/root/')).toBe(true);
        expect(join('/root', path)).toBe(`/root/${path}`);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'SKILL.md', 'server.json', 'x.py', '/'), { maxLength: 8 }),
        (parts) => {
          const paths = [parts.join('')];
          expect(paths).toEqual(expect.arrayContaining(selectCatalogFiles(paths)));
        },
      ),
    );
  });
});

describe('file source: data', () => {
  it(`${proves('C-2-21', 'C-12.1-06')} takes text and objects`, async () => {
    const text = expectFetched(await fetchFile({ data: 'servers: []' }, context('/')));
    expect(read(text)).toEqual({ inline: 'servers: []' });
    const object = expectFetched(await fetchFile({ data: { servers: [] } }, context('/')));
    expect(read(object)).toEqual({ inline: '{"servers":[]}' });
    const one = { name: 'a/b', description: 'd', version: '1.0.0' };
    for (const data of [JSON.stringify({ data: { servers: [one] } }), { data: { servers: [one] } }]) {
      const config = fileSchema.parse({ data });
      const fetched = expectFetched(await fetchFile(config, context('/')));
      expect(readCatalog(fetched, { sourceName: 'src' }).entries.map(({ body }) => body)).toEqual([one]);
    }
    expect(await fetchFile({ data: { servers: [] } }, context('/', object.digest))).toBe('unchanged');
    await expect(fetchFile({}, context('/'))).rejects.toMatchObject({ code: 'source_incomplete' });
  });
});

describe('file source: url', () => {
  it('asks for changes only, and reads again when the kept content is gone', async () => {
    const asked: (string | undefined)[] = [];
    let etag = '"1"';
    const { url } = await startServer((request, response) => {
      asked.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(`content ${etag}`);
    });
    const source = { url: `${url}/team/registry.json?token=hush` };
    const first = expectFetched(await fetchFile(source, context('/')));
    expect(read(first)).toEqual({ 'registry.json': 'content "1"' });
    expect(first.origin).toMatchObject({ kind: 'file', url: `${url}/team/registry.json`, etag: '"1"' });
    expect(await fetchFile(source, context('/', first.digest))).toBe('unchanged');
    expectFetched(await fetchFile(source, context('/')));
    etag = '"2"';
    const second = expectFetched(await fetchFile(source, context('/', first.digest)));
    expect(read(second)).toEqual({ 'registry.json': 'content "2"' });
    expect(asked).toEqual([undefined, '"1"', undefined, '"1"']);
  });

  it('uses Last-Modified without an ETag, and the content itself without either', async () => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/plain') response.end('same');
      else if (request.headers['if-modified-since']) response.writeHead(304).end();
      else response.writeHead(200, { 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' }).end('dated');
    });
    for (const path of ['/dated', '/plain']) {
      const first = expectFetched(await fetchFile({ url: url + path }, context('/')));
      expect(await fetchFile({ url: url + path }, context('/', first.digest))).toBe('unchanged');
    }
  });

  it('sends credentials of the URL as Basic authentication and shows them nowhere', async () => {
    const { url } = await startServer((request, response) => {
      const right =
        request.headers.authorization === `Basic ${Buffer.from('me:hush hush').toString('base64')}`;
      response.writeHead(right ? 200 : 401).end('{}');
    });
    const withPassword = (password: string) => url.replace('http://', `http://me:${password}@`);
    const result = expectFetched(
      await fetchFile({ url: `${withPassword('hush%20hush')}/c.json` }, context('/')),
    );
    expect(JSON.stringify(result.origin)).not.toContain('hush');
    const error = await fetchFile({ url: withPassword('wrong') }, context('/')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'source_denied' });
    expect(JSON.stringify(error)).not.toContain('wrong');
  });

  it.each([
    [404, 'source_not_found'],
    [403, 'source_denied'],
    [500, 'source_unreachable'],
    [304, 'source_unreachable'],
  ])('explains status %i', async (status, code) => {
    const { url } = await startServer((_request, response) => response.writeHead(status).end());
    await expect(fetchFile({ url }, context('/'))).rejects.toMatchObject({ code });
  });

  it('refuses plain http to other hosts, private addresses for others, and a slow server', async () => {
    await expect(fetchFile({ url: 'http://catalog.example/c.json' }, context('/'))).rejects.toMatchObject({
      code: 'source_url_insecure',
    });
    const { url } = await startServer(() => undefined);
    await expect(createFetchFile({ allowPrivate: false })({ url }, context('/'))).rejects.toMatchObject({
      code: 'source_private_address',
    });
    await expect(fetchFile({ url, timeout: 100 }, context('/'))).rejects.toMatchObject({
      code: 'source_timeout',
    });
  });
});
