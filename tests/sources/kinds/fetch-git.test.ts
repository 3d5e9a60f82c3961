import { chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitSchema } from '../../../sources/config/schema.ts';
import { createFetchGit } from '../../../sources/kinds/fetch-git.ts';
import type { Fetched } from '../../../sources/kinds/fetched.ts';
import { proves } from '../../requirements/proves.ts';
import { LOOPBACK_CERT, LOOPBACK_KEY } from '../../server/auth/loopback-tls.ts';
import { startServer } from '../net/loopback-server.ts';
import { makeRepository, serveRepositories } from './git-repository.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

const fetchGit = createFetchGit({ allowPrivate: true });

/** Fetches as one service does: one base directory and one data directory for all calls. */
function startService() {
  const baseDir = makeDirectory();
  const dataDir = join(baseDir, '.berth');
  const get = (settings: Record<string, unknown>, knownDigest?: string) =>
    fetchGit(gitSchema.parse(settings), {
      baseDir,
      dataDir,
      ...(knownDigest === undefined ? {} : { knownDigest }),
    });
  return {
    baseDir,
    dataDir,
    fetch: get,
    async read(settings: Record<string, unknown>, knownDigest?: string): Promise<Fetched> {
      const result = await get(settings, knownDigest);
      if (result === 'unchanged') throw new Error('content was expected');
      return result;
    },
    async fail(settings: Record<string, unknown>) {
      const error = await get(settings).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof Error)) throw new Error('a failure was expected');
      const text = `${error.message} ${JSON.stringify(error)}`;
      expect(text).not.toContain(baseDir);
      return { error, text };
    },
  };
}

const texts = (result: Fetched) =>
  Object.fromEntries(result.files.map((file) => [file.path, Buffer.from(file.bytes).toString()]));

describe('git source: content', () => {
  it(`${proves('S-2.2-02', 'C-2-24', 'C-2-26')} reads a file of the default branch, says unchanged, and brings a new commit`, async () => {
    const repository = makeRepository();
    const commit = await repository.commit({ 'registry.json': '{"a":1}' });
    const service = startService();
    const first = await service.read({ repository: repository.path });
    expect(first.layout).toBe('file');
    expect(texts(first)).toEqual({ 'registry.json': '{"a":1}' });
    expect(first.origin).toMatchObject({ kind: 'git', commit, ref: 'HEAD' });
    expect(JSON.stringify(first.origin)).not.toContain(repository.path);
    expect(await service.fetch({ repository: repository.path }, first.digest)).toBe('unchanged');
    const next = await repository.commit({ 'registry.json': '{"a":2}' });
    const second = await service.read({ repository: repository.path }, first.digest);
    expect(texts(second)).toEqual({ 'registry.json': '{"a":2}' });
    expect(second.origin.commit).toBe(next);
  });

  it(`${proves('S-2.2-04', 'C-2-26')} reads a directory, takes a commit elsewhere for no change, and one inside for a change`, async () => {
    const repository = makeRepository();
    await repository.commit({
      'catalog/a/server.json': 'a',
      'catalog/skills/pdf/SKILL.md': 's',
      'catalog/skills/pdf/run.py': 'p',
      'catalog/README.md': 'no',
      'other/server.json': 'no',
    });
    const service = startService();
    const source = { repository: repository.path, branch: 'main', path: './catalog/' };
    const first = await service.read(source);
    expect(first.layout).toBe('directory');
    expect(texts(first)).toEqual({
      'catalog/a/server.json': 'a',
      'catalog/skills/pdf/SKILL.md': 's',
      'catalog/skills/pdf/run.py': 'p',
    });
    await repository.commit({ 'other/server.json': 'changed', 'catalog/README.md': 'changed' });
    expect(await service.fetch(source, first.digest)).toBe('unchanged');
    await repository.commit({ 'catalog/skills/pdf/run.py': null });
    const second = await service.read(source, first.digest);
    expect(Object.keys(texts(second))).toEqual(['catalog/a/server.json', 'catalog/skills/pdf/SKILL.md']);
    const one = await service.read({ ...source, path: 'catalog/a/server.json' });
    expect([one.layout, texts(one)]).toEqual(['file', { 'catalog/a/server.json': 'a' }]);
    const whole = await service.read({ ...source, path: '.' });
    expect(Object.keys(texts(whole))).toContain('other/server.json');
  });

  it('reads tags, also annotated and moved ones, and commits, whole and shortened', async () => {
    const repository = makeRepository();
    const one = await repository.commit({ 'registry.json': '1' });
    repository.git('tag', 'v1');
    const two = await repository.commit({ 'registry.json': '2' });
    repository.git('tag', '--annotate', '--message=two', 'v2');
    await repository.commit({ 'registry.json': '3' });
    const service = startService();
    const at = async (pin: Record<string, string>) =>
      texts(await service.read({ repository: repository.path, ...pin }));
    expect(await at({ tag: 'v1' })).toEqual({ 'registry.json': '1' });
    expect(await at({ tag: 'v2' })).toEqual({ 'registry.json': '2' });
    expect(await at({ commit: one })).toEqual({ 'registry.json': '1' });
    expect(await at({ commit: two.slice(0, 10) })).toEqual({ 'registry.json': '2' });
    repository.git('tag', '--force', 'v1');
    expect(await at({ tag: 'v1' })).toEqual({ 'registry.json': '3' });
    const pinned = await service.read({ repository: repository.path, commit: one });
    expect(pinned.origin).toMatchObject({ commit: one });
    expect(pinned.origin.ref).toBeUndefined();
  });

  it(`${proves('C-2-29')} fetches the last commit alone, then only what is new, into a clone below dataDir`, async () => {
    const repository = makeRepository();
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`c/${at}/server.json`, `{"at":${at}}`]),
    );
    await repository.commit({ 'registry.json': 'before' });
    await repository.commit({ ...files, 'registry.json': 'first' });
    const service = startService();
    const source = { repository: repository.path };
    const first = await service.read(source);
    expect(readdirSync(service.baseDir)).toEqual(['.berth']);
    const clones = readdirSync(join(service.dataDir, 'git')).filter((name) => name !== 'gitconfig');
    expect(clones).toHaveLength(1);
    const clone = join(service.dataDir, 'git', clones[0] ?? '');
    const inClone = (...commands: string[]) => repository.git('--git-dir', clone, ...commands);
    const countObjects = () => {
      const counts = inClone('count-objects', '-v');
      return Number(/^count: (\d+)/m.exec(counts)?.[1]) + Number(/^in-pack: (\d+)/m.exec(counts)?.[1]);
    };
    expect(inClone('rev-list', '--count', first.origin.commit ?? '')).toBe('1');
    const held = countObjects();
    expect(held).toBeGreaterThan(50);
    await repository.commit({ 'registry.json': 'second' });
    const second = await service.read(source, first.digest);
    expect(texts(second)).toEqual({ 'registry.json': 'second' });
    expect(inClone('rev-list', '--count', second.origin.commit ?? '')).toBe('1');
    // A commit, its tree and the one file: the clone was added to, not made again.
    expect(countObjects() - held).toBe(3);
    expect(inClone('cat-file', '-t', first.origin.commit ?? '')).toBe('commit');
  });

  it('follows a force push', async () => {
    const repository = makeRepository();
    await repository.commit({ 'registry.json': '1' });
    const base = repository.git('rev-parse', 'HEAD');
    await repository.commit({ 'registry.json': '2' });
    const service = startService();
    const first = await service.read({ repository: repository.path, branch: 'main' });
    repository.git('reset', '--quiet', '--hard', base);
    const rewritten = await repository.commit({ 'registry.json': 'rewritten' });
    const second = await service.read({ repository: repository.path, branch: 'main' }, first.digest);
    expect(texts(second)).toEqual({ 'registry.json': 'rewritten' });
    expect(second.origin.commit).toBe(rewritten);
  });

  it('fetches file contents only as they are needed when the server can leave them out', async () => {
    const root = makeDirectory();
    const repository = makeRepository(join(makeDirectory()));
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`c/${at}/server.json`, `{"at":${at}}`]),
    );
    await repository.commit({ ...files, 'unrelated.txt': 'x' });
    repository.git('clone', '--quiet', '--bare', repository.path, join(root, 'team.git'));
    for (const key of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant']) {
      repository.git('--git-dir', join(root, 'team.git'), 'config', key, 'true');
    }
    const unrelated = repository.git('rev-parse', 'HEAD:unrelated.txt');
    const { url, asked } = await serveRepositories(root);
    const service = startService();
    const result = await service.read({ repository: `${url}/team.git`, path: 'c' });
    expect(result.files).toHaveLength(50);
    expect(asked.filter((line) => line.includes('/git-upload-pack ')).length).toBeLessThan(8);
    const [clone = ''] = readdirSync(join(service.dataDir, 'git')).filter((name) => name !== 'gitconfig');
    const missing = repository.git(
      '--git-dir',
      join(service.dataDir, 'git', clone),
      'rev-list',
      '--objects',
      '--missing=print',
      result.origin.commit ?? '',
    );
    expect(missing).toContain(`?${unrelated}`);
  });

  it('reads 4,000 files with few processes', async () => {
    const repository = makeRepository();
    await repository.commit(
      Object.fromEntries(
        Array.from({ length: 4000 }, (_, at) => [`c/${at % 50}/s${at}.json`, `{"at":${at}}`]),
      ),
    );
    const service = startService();
    const source = { repository: repository.path, path: 'c' };
    const first = await service.read(source);
    expect(first.files).toHaveLength(4000);
    expect(texts(first)['c/7/s7.json']).toBe('{"at":7}');
    const start = performance.now();
    expect(await service.fetch(source, first.digest)).toBe('unchanged');
    const took = performance.now() - start;
    expect(took).toBeLessThan(2000);
  }, 30_000);

  it('names pointers of Git LFS and symbolic links instead of reading them as catalogs', async () => {
    const repository = makeRepository();
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n';
    await symlink('/etc/passwd', join(repository.path, 'link.json'));
    await repository.commit({ 'big.json': pointer, 'server.json': 'a' });
    const service = startService();
    const result = await service.read({ repository: repository.path, path: '/' });
    expect(Object.keys(texts(result))).toEqual(['server.json']);
    expect(result.skipped?.map(({ path }) => path)).toEqual(['link.json', 'big.json']);
    const { error } = await service.fail({ repository: repository.path, path: 'big.json' });
    expect(error).toMatchObject({ code: 'source_git_lfs' });
    expect((await service.fail({ repository: repository.path, path: 'link.json' })).error).toMatchObject({
      code: 'source_git_path_missing',
    });
  });
});

describe('git source: failures', () => {
  it('names a branch, tag, commit or path that is gone', async () => {
    const repository = makeRepository();
    await repository.commit({ 'registry.json': '1' });
    repository.git('branch', 'release');
    const service = startService();
    await service.read({ repository: repository.path, branch: 'release' });
    repository.git('branch', '--delete', '--force', 'release');
    const gone = 'f'.repeat(40);
    for (const [pin, name] of [
      [{ branch: 'release' }, 'branch release'],
      [{ tag: 'v9' }, 'tag v9'],
      [{ commit: gone }, gone],
      [{ commit: 'fffffff' }, 'commit fffffff'],
    ] as const) {
      const { error, text } = await service.fail({ repository: repository.path, ...pin });
      expect(error, name).toMatchObject({ code: 'source_git_ref_missing' });
      expect(text).toContain(name);
    }
    for (const path of ['gone.json', 'deep/gone.json', 'registry.json/below']) {
      const { error, text } = await service.fail({ repository: repository.path, path });
      expect(error, path).toMatchObject({ code: 'source_git_path_missing' });
      expect(text).toContain(path);
    }
    expect((await service.fail({ repository: makeRepository().path })).error).toMatchObject({
      code: 'source_git_ref_missing',
    });
  });

  it('says that a repository was moved or is none, and reads it again when it is back', async () => {
    const home = makeDirectory();
    const repository = makeRepository(join(makeDirectory()));
    await repository.commit({ 'registry.json': '1' });
    const service = startService();
    const first = await service.read({ repository: repository.path });
    const away = join(home, 'away');
    await rename(repository.path, away);
    const { error, text } = await service.fail({ repository: repository.path });
    expect(error).toMatchObject({ code: 'source_git_not_found' });
    expect(text).not.toContain(repository.path);
    await rename(away, repository.path);
    expect(await service.fetch({ repository: repository.path }, first.digest)).toBe('unchanged');
    await writeFiles(home, { 'plain/file.txt': 'x' });
    expect((await service.fail({ repository: join(home, 'plain') })).error).toMatchObject({
      code: 'source_git_not_found',
    });
  });

  it.each([
    { repository: '--upload-pack=touch pwned' },
    { repository: 'ext::sh -c "touch pwned"' },
    { repository: 'ssh://-oProxyCommand=touch/x' },
    { repository: 'git@-oProxyCommand=touch:x' },
    { repository: 'git://host.example/x' },
    { repository: 'http://host.example/x' },
    { repository: 'ftp://host.example/x' },
    { repository: 'file://host.example/x' },
    { repository: 'a\nb' },
    { repository: '.', branch: '--upload-pack=touch' },
    { repository: '.', branch: 'a b' },
    { repository: '.', tag: 'a..b' },
    { repository: '.', branch: 'main:refs/heads/evil' },
    { repository: '.', path: '../outside' },
    { repository: '.', path: 'a/../../b' },
  ])('refuses $repository $branch $tag $path', async (settings) => {
    const service = startService();
    expect((await service.fail(settings)).error).toMatchObject({ code: 'source_git_refused' });
    expect(existsSync(join(service.dataDir, 'git'))).toBe(false);
  });

  it('replaces a damaged clone once', async () => {
    const repository = makeRepository();
    await repository.commit({ 'registry.json': '1' });
    const service = startService();
    const source = { repository: repository.path };
    await service.read(source);
    const clones = join(service.dataDir, 'git');
    const [name = ''] = readdirSync(clones).filter((entry) => entry !== 'gitconfig');
    const damages: ((clone: string) => void)[] = [
      (clone) => rmSync(join(clone, 'objects'), { recursive: true }),
      (clone) => rmSync(join(clone, 'HEAD')),
      (clone) => writeFileSync(join(clone, 'config'), '[broken'),
      (clone) => writeFileSync(join(clone, 'shallow.lock'), ''),
      (clone) => {
        for (const pack of readdirSync(join(clone, 'objects/pack'))) {
          rmSync(join(clone, 'objects/pack', pack));
          writeFileSync(join(clone, 'objects/pack', pack), 'damaged');
        }
      },
    ];
    for (const [index, damage] of damages.entries()) {
      damage(join(clones, name));
      await repository.commit({ 'registry.json': `after ${index}` });
      expect(texts(await service.read(source))).toEqual({ 'registry.json': `after ${index}` });
    }
  });

  it.skipIf(process.getuid?.() !== 0)('reads a local repository that belongs to another user', async () => {
    const repository = makeRepository();
    await repository.commit({ 'registry.json': '1' });
    for (const entry of ['', ...readdirSync(repository.path, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(repository.path, entry), 65_534, 65_534);
    }
    expect(texts(await startService().read({ repository: repository.path }))).toEqual({
      'registry.json': '1',
    });
  });

  it(`${proves('S-2.2-03')} lets two sources of one repository fetch at once`, async () => {
    const repository = makeRepository();
    await repository.commit({ 'registry.json': 'main', 'c/server.json': 'c' });
    repository.git('checkout', '--quiet', '-b', 'next');
    await repository.commit({ 'registry.json': 'next' });
    const service = startService();
    const { path } = repository;
    const results = await Promise.all([
      service.read({ repository: path, branch: 'main' }),
      service.read({ repository: path, branch: 'next' }),
      service.read({ repository: path, branch: 'main', path: 'c' }),
      service.fetch({ repository: path, branch: 'gone' }).catch(() => undefined),
    ]);
    expect(
      results.slice(0, 3).map((result) => result && result !== 'unchanged' && Object.values(texts(result))),
    ).toEqual([['main'], ['next'], ['c']]);
  });

  it('stops when it is told to, and when the server says nothing', async () => {
    const { url } = await serveRepositories(makeDirectory());
    const controller = new AbortController();
    controller.abort(new Error('shutting down'));
    const baseDir = makeDirectory();
    const context = { baseDir, dataDir: join(baseDir, '.berth') };
    const source = gitSchema.parse({ repository: `${url}/x.git` });
    await expect(fetchGit(source, { ...context, signal: controller.signal })).rejects.toThrow(
      'shutting down',
    );
    const silent = await startServer(() => undefined);
    const impatient = createFetchGit({ allowPrivate: true, silenceMs: 300 });
    await expect(impatient(gitSchema.parse({ repository: silent.url }), context)).rejects.toMatchObject({
      code: 'source_git_unreachable',
    });
  });
});

describe('git source: credentials and network', () => {
  it(`${proves('C-2-27')} signs in with a password file, shows and keeps the password nowhere`, async () => {
    const root = makeDirectory();
    const repository = makeRepository();
    await repository.commit({ 'registry.json': '1' });
    repository.git('clone', '--quiet', '--bare', repository.path, join(root, 'team.git'));
    const { url } = await serveRepositories(root, 'robot:s3cr3t-word');
    const service = startService();
    await writeFile(join(service.baseDir, 'right'), 's3cr3t-word\n');
    await writeFile(join(service.baseDir, 'wrong'), 'wr0ng-word');
    const source = { repository: `${url}/team.git`, auth: { username: 'robot', passwordFile: 'right' } };
    const result = await service.read(source);
    expect(texts(result)).toEqual({ 'registry.json': '1' });
    expect(result.origin.repository).toBe(`${url}/team.git`);

    const inUrl = { repository: `${url.replace('http://', 'http://robot:s3cr3t-word@')}/team.git` };
    expect((await service.read(inUrl)).origin.repository).toBe(`${url}/team.git`);
    const encoded = Buffer.from('robot:s3cr3t-word').toString('base64');
    for (const file of readdirSync(join(service.dataDir, 'git'), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const content = readFileSync(join(file.parentPath, file.name), 'latin1');
      expect(content.includes('s3cr3t-word') || content.includes(encoded), file.name).toBe(false);
    }

    const wrong = await service.fail({ ...source, auth: { username: 'robot', passwordFile: 'wrong' } });
    expect(wrong.error).toMatchObject({ code: 'source_git_auth' });
    expect(wrong.text).not.toContain('wr0ng-word');
    const none = await service.fail({ repository: `${url}/team.git` });
    expect(none.error).toMatchObject({ code: 'source_git_auth' });
    const gone = await service.fail({ ...source, auth: { username: 'robot', passwordFile: 'gone' } });
    expect(gone.error).toMatchObject({ code: 'source_git_auth', at: { file: 'gone' } });
    const missing = await service.fail({ ...source, repository: `${url}/missing.git` });
    expect(missing.error).toMatchObject({ code: 'source_git_not_found' });
    expect(missing.text).toContain(`${url}/missing.git`);
  });

  it(`${proves('C-2-24')} reads over https`, async () => {
    const root = makeDirectory();
    const repository = makeRepository();
    await repository.commit({ 'registry.json': 'over https' });
    repository.git('clone', '--quiet', '--bare', repository.path, join(root, 'team.git'));
    const { url } = await serveRepositories(root, undefined, { key: LOOPBACK_KEY, cert: LOOPBACK_CERT });
    const baseDir = makeDirectory();
    await writeFile(join(baseDir, 'ca.pem'), LOOPBACK_CERT);
    const hostEnvironment = { PATH: process.env.PATH, GIT_SSL_CAINFO: join(baseDir, 'ca.pem') };
    const fetchOverTls = createFetchGit({ allowPrivate: true, hostEnvironment });
    const context = { baseDir, dataDir: join(baseDir, '.berth') };
    const source = gitSchema.parse({ repository: `${url}/team.git` });
    expect(source.repository).toMatch(/^https:/);
    const result = await fetchOverTls(source, context);
    expect(result !== 'unchanged' && texts(result)).toEqual({ 'registry.json': 'over https' });
    const untrusting = createFetchGit({ allowPrivate: true, hostEnvironment: { PATH: process.env.PATH } });
    const elsewhere = { ...context, dataDir: join(baseDir, '.other') };
    await expect(untrusting(source, elsewhere)).rejects.toMatchObject({ code: 'source_git_unreachable' });
  });

  it('says that nothing listens, without the credentials of the address', async () => {
    const service = startService();
    const { error, text } = await service.fail({
      repository: 'http://robot:s3cr3t-word@127.0.0.1:1/team.git',
    });
    expect(error).toMatchObject({ code: 'source_git_unreachable' });
    expect(text).not.toContain('s3cr3t-word');
  });

  it('keeps sources of others away from this machine and from private addresses', async () => {
    const strict = createFetchGit({
      allowPrivate: false,
      resolve: (_host, _options, done) => done(null, [{ address: '10.0.0.7', family: 4 }]),
    });
    const baseDir = makeDirectory();
    const context = { baseDir, dataDir: join(baseDir, '.berth') };
    for (const [repository, code] of [
      [baseDir, 'source_git_refused'],
      ['http://127.0.0.1/x', 'source_private_address'],
      ['https://[::ffff:10.0.0.1]/x', 'source_private_address'],
      ['ssh://git@2130706433/x', 'source_private_address'],
      ['git@inner.example:x', 'source_private_address'],
      ['https://inner.example/x', 'source_private_address'],
    ] as const) {
      await expect(strict(gitSchema.parse({ repository }), context)).rejects.toMatchObject({ code });
    }
  });
});
