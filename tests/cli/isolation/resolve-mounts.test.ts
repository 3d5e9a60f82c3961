import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveMounts } from '../../../cli/isolation/resolve-mounts.ts';
import { type PlanInput, planSchema } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

interface World {
  readonly tree: Readonly<Record<string, string>>;
  readonly local?: string;
  readonly global?: string;
  readonly globally?: boolean;
  readonly plan?: Partial<PlanInput>;
}

function write(root: string, tree: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

async function resolve({ tree, local, global, globally = true, plan = {} }: World) {
  const base = makeDirectory();
  const source = join(base, 'project');
  mkdirSync(source);
  write(source, { ...tree, ...(local !== undefined && { '.berthignore': local }) });
  write(join(base, 'config'), global === undefined ? {} : { berthignore: global });
  const context = {
    cwd: base,
    configDirectory: join(base, 'config'),
    runtimeDirectory: join(base, 'runtime'),
  };
  const given = planSchema.parse({
    schemaVersion: '1',
    name: 'mounts',
    server: { kind: 'image', image: 'x' },
    transport: 'stdio',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    volumes: [{ source, target: '/srv' }],
    ignore: { globally },
    limits: {},
    ...plan,
  });
  const again = () => resolveMounts(given, context);
  return { base, source, context, again, ...(await again()) };
}

const targets = ({ overlays }: { overlays: readonly { target: string; kind: string }[] }) =>
  overlays.map(({ target, kind }) => (kind === 'directory' ? `${target}/` : target)).sort();

const TREE = {
  '.env': 'x',
  'app/.env': 'x',
  'app/main.js': 'x',
  'app/deep/.env.local': 'x',
  'secrets/a.key': 'x',
  'secrets/keep.txt': 'x',
  'node_modules/a/index.js': 'x',
  'Readme.md': 'x',
};

describe('resolveMounts', () => {
  it(`${proves('K-4-21')} mounts the volumes and nothing else when nothing is ignored`, async () => {
    const found = await resolve({ tree: TREE });
    expect(found.mounts).toEqual([{ source: found.source, target: '/srv', readOnly: false }]);
    expect(found.warnings).toEqual([]);
    expect(readdirSync(found.base)).not.toContain('runtime');
  });

  it.each([
    ['.env', ['/srv/.env', '/srv/app/.env']],
    ['/.env', ['/srv/.env']],
    ['**/.env*', ['/srv/.env', '/srv/app/.env', '/srv/app/deep/.env.local']],
    ['app/**', ['/srv/app/.env', '/srv/app/deep/', '/srv/app/main.js']],
    ['secrets/', ['/srv/secrets/']],
    ['node_modules', ['/srv/node_modules/']],
    ['secrets/*\n!secrets/keep.txt', ['/srv/secrets/a.key']],
    ['secrets/\n!secrets/keep.txt', ['/srv/secrets/']],
    [
      '*\n!*/\n!*.md',
      [
        '/srv/.berthignore',
        '/srv/.env',
        '/srv/app/.env',
        '/srv/app/deep/.env.local',
        '/srv/app/main.js',
        '/srv/node_modules/a/index.js',
        '/srv/secrets/a.key',
        '/srv/secrets/keep.txt',
      ],
    ],
    ['# .env\n\n\\#x\nREADME.md', []],
    ['*.key\r\n.env\r\n', ['/srv/.env', '/srv/app/.env', '/srv/secrets/a.key']],
    ['[Rr]eadme.??', ['/srv/Readme.md']],
  ])(`${proves('K-4-22')} reads %j as git does`, async (local, expected) => {
    expect(targets(await resolve({ tree: TREE, local }))).toEqual(expected);
  });

  it(`${proves('K-4-23', 'K-8.10-01', 'R-4.1-42')} takes the patterns of the user too, which the mount may negate`, async () => {
    const world = { tree: TREE, global: '.env\n*.key\n', local: '!app/.env\n' };
    expect(targets(await resolve(world))).toEqual(['/srv/.env', '/srv/secrets/a.key']);
  });

  it(`${proves('R-4.1-43')} leaves the patterns of the user out when told to`, async () => {
    const world = { tree: TREE, global: '.env\n', local: '*.key\n', globally: false };
    expect(targets(await resolve(world))).toEqual(['/srv/secrets/a.key']);
  });

  it(`${proves('K-4-24')} covers with empty files and directories that cannot be written, made once`, async () => {
    const found = await resolve({ tree: TREE, local: '/.env\nsecrets/\n' });
    const covers = found.mounts.slice(1);
    expect(covers.map(({ target, readOnly }) => [target, readOnly])).toEqual([
      ['/srv/.env', true],
      ['/srv/secrets', true],
    ]);
    const [file, directory] = covers.map(({ source }) => source);
    expect(readFileSync(file ?? '', 'utf8')).toBe('');
    expect(statSync(file ?? '').mode & 0o777).toBe(0o444);
    expect(readdirSync(directory ?? '')).toEqual([]);
    expect(covers.every(({ source }) => source.startsWith(found.context.runtimeDirectory))).toBe(true);
    expect((await found.again()).mounts).toEqual(found.mounts);
    expect(readFileSync(join(found.source, '.env'), 'utf8')).toBe('x');
  });

  it(`${proves('K-4-25')} says which patterns cover nothing that comes later`, async () => {
    const { warnings } = await resolve({ tree: TREE, local: '/.env\n/later.txt\n*.pem\n!x\n' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/created later that match \/later\.txt, \*\.pem are not covered/);
    expect((await resolve({ tree: TREE, local: '/.env\n' })).warnings).toEqual([]);
  });

  it('follows no link out of the mount, and hides what a hidden link leads to', async () => {
    const base = makeDirectory();
    const source = join(base, 'project');
    write(base, { 'outside/.env': 'x', 'project/real.txt': 'x', 'project/.berthignore': '.env\nlinked\n' });
    symlinkSync('../outside', join(source, 'away'));
    symlinkSync('real.txt', join(source, '.env'));
    symlinkSync('/etc', join(source, 'linked'));
    symlinkSync('.', join(source, 'loop'));
    const found = await resolve({ tree: {}, plan: { volumes: [{ source, target: '/srv' }] } });
    expect(targets(found)).toEqual(['/srv/real.txt']);
  });

  it('takes mounts of a profile, and leaves a mount within a mount alone', async () => {
    const base = makeDirectory();
    write(base, { 'a/.berthignore': 'sub\n', 'a/sub/x': 'x', 'b/y': 'y', 'data/z': 'z' });
    const found = await resolve({
      tree: {},
      plan: {
        volumes: [{ source: join(base, 'a'), target: '/a/' }],
        profile: { read: [`${base}/data:/data`, `${base}/data`], write: [`${base}/b:/a/sub`] },
      },
    });
    expect(found.mounts).toEqual([
      { source: join(base, 'a'), target: '/a', readOnly: false },
      { source: `${base}/data`, target: '/data', readOnly: true },
      { source: `${base}/data`, target: `${base}/data`, readOnly: true },
      { source: `${base}/b`, target: '/a/sub', readOnly: false },
    ]);
  });

  it(`${proves('K-4-20')} names what does not exist, is mounted twice, or is no mount`, async () => {
    const base = makeDirectory();
    const volumes = [{ source: join(base, 'gone'), target: '/x' }];
    await expect(resolve({ tree: {}, plan: { volumes } })).rejects.toThrow(join(base, 'gone'));
    const profile = { read: [`${base}:/srv/.`] };
    await expect(resolve({ tree: {}, plan: { profile } })).rejects.toMatchObject({
      code: 'volume_duplicate',
    });
    for (const entry of ['relative', 'a:b', 'a:/', ':/x', 'a:/x:rx']) {
      const profile = { write: [entry] };
      await expect(resolve({ tree: {}, plan: { profile } })).rejects.toMatchObject({
        code: 'profile_invalid',
      });
    }
  });

  it('refuses a tree in which too much would be covered', async () => {
    const tree = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.key`, '']));
    await expect(resolve({ tree, local: '*.key\n' })).rejects.toMatchObject({ code: 'ignore_too_large' });
  });
});
