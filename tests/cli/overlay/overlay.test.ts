import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ImportingStore, StoredEntry } from '../../../server/overlay/overlay-store.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { TestPostgres } from '../../server/overlay/postgres/start-postgres.ts';
import { startService } from '../../support/start-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { runBerth } from '../run-berth.ts';
import { enterDirectory } from '../working-directory.ts';

const SOURCES = [{ name: 'main', managed: {} }];
const makeConfig = (more: object = {}) => ({
  sources: SOURCES,
  registries: [{ name: 'all', sources: ['main'] }],
  auth: { mode: 'anonymous' },
  dataDir: 'data',
  ...more,
});

function makeEntry(name: string, versions: readonly string[], more: Partial<StoredEntry> = {}): StoredEntry {
  return {
    source: 'main',
    type: 'server',
    name,
    claims: { team: ['b', 'a'], org: 'acme' },
    claimsChangedAt: 1_700_000_000_009,
    versions: versions.map((version, index) => ({
      version,
      body: JSON.stringify({ name, description: 'line\u2028end\n"ü"', version }),
      tags: ['x'],
      tools: ['t'],
      status: index === 0 ? 'deprecated' : 'active',
      ...(index === 0 ? { statusMessage: 'use 2' } : {}),
      publishedAt: 1_700_000_000_000 + index,
      updatedAt: 1_700_000_000_005,
      statusChangedAt: 1_700_000_000_004,
    })),
    ...more,
  };
}

const SKILL_BODY = { namespace: 'io.example', name: 'pdf', description: 'Reads', version: '1.0.0' };
const SKILL: StoredEntry = makeEntry('io.example/pdf', ['1.0.0'], { type: 'skill', claims: {} });
const ENTRIES: readonly StoredEntry[] = [
  makeEntry('io.example/b', ['1.0.0', '10.0.0', '2.0.0']),
  makeEntry('io.example/B', ['1.0.0']),
  makeEntry('io.example/a-c', ['1.0.0']),
  makeEntry('io.example/ab', ['1.0.0']),
  { ...SKILL, versions: SKILL.versions.map((version) => ({ ...version, body: JSON.stringify(SKILL_BODY) })) },
];
const GIT = { name: 'team', git: { repository: 'https://git.example.com/a.git', branch: 'main' } };
const RECORDS = [
  ['source', 'team', { ...GIT, syncPolicy: { interval: '5m' } }],
  ['source', 'more', { name: 'more', managed: {} }],
  ['registry', 'both', { name: 'both', sources: ['team', 'more'] }],
] as const;

async function fill(store: ImportingStore): Promise<void> {
  for (const entry of ENTRIES) expect(await store.importEntry(entry)).toEqual({ outcome: 'stored' });
  for (const [kind, name, body] of RECORDS)
    await store.putRecord(kind, name, JSON.stringify({ body, createdAt: 1, updatedAt: 2 }));
  await store.putRecord('sync-request', 'team', '{"id":"x"}');
}

/** A working directory with a filled SQLite overlay, and configurations of others beside it. */
async function enterFilled() {
  const dir = enterDirectory();
  dir.write('registry.config.yaml', makeConfig());
  dir.write('other.config.yaml', makeConfig({ dataDir: 'other' }));
  const store = await SqliteStore.open({ path: 'data', configured: 'data' });
  await fill(store);
  await store.close();
  return dir;
}

const readLines = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const OTHER = ['--config', 'other.config.yaml'];

async function exportTo(file: string, ...words: string[]): Promise<string[]> {
  const ran = await runBerth(['overlay', 'export', '--out', file, ...words]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('Exported ')]);
  return readLines(file);
}

async function importJson(file: string, ...words: string[]) {
  const { code, stdout, stderr } = await runBerth(['overlay', 'import', file, '--format', 'json', ...words]);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

describe('berth overlay', () => {
  it('moves everything from SQLite to SQLite, and the second time nothing', async () => {
    await enterFilled();
    const lines = await exportTo('a.jsonl');
    expect(lines).toHaveLength(1 + RECORDS.length + ENTRIES.length);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ berth: 'overlay', version: 1 });
    expect(statSync('a.jsonl').mode & 0o777).toBe(0o600);
    expect(await importJson('a.jsonl', ...OTHER)).toEqual({
      code: 0,
      imported: 8,
      unchanged: 0,
      refused: [],
      unserved: [],
    });
    expect(await exportTo('b.jsonl', ...OTHER)).toEqual(lines);
    expect(await importJson('a.jsonl', ...OTHER)).toMatchObject({ code: 0, imported: 0, unchanged: 8 });
    expect((await runBerth(['overlay', 'export'])).stdout).toBe(readFileSync('a.jsonl', 'utf8'));
    const store = await SqliteStore.open({ path: 'other', configured: 'other' });
    onTestFinished(() => store.close());
    expect(await store.listRecords('sync-request')).toEqual([]);
    for (const entry of ENTRIES) {
      const { versions, ...key } = entry;
      const kept = await store.readEntry(entry);
      expect(kept).toMatchObject(key);
      expect(kept?.versions).toHaveLength(versions.length);
      expect(kept?.versions).toEqual(expect.arrayContaining([...versions]));
    }
  });

  it('exports beside a running service, which keeps an import out', async () => {
    const dir = enterDirectory();
    const service = await startService(makeConfig(), { dir: dir.path, keepDirectory: true });
    try {
      const server = { name: 'io.example/live', description: 'Live', version: '1.0.0' };
      const { status } = await service.ask('/v1/entries', { method: 'POST', body: { server } });
      expect(status).toBe(201);
      const lines = await exportTo('a.jsonl');
      expect(JSON.parse(lines[1] ?? '').entry).toMatchObject({ name: 'io.example/live', claims: {} });
      const refused = await runBerth(['overlay', 'import', 'a.jsonl']);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/Another berth process serves from the data directory data\. Stop it/);
    } finally {
      await service.stop();
    }
    expect(await importJson('a.jsonl')).toMatchObject({ code: 0, unchanged: 1 });
  });

  it('reports every line it cannot take, by number, and takes the others', async () => {
    const dir = await enterFilled();
    const [header = '', ...lines] = await exportTo('a.jsonl');
    const at = (name: string) => lines.findIndex((line) => JSON.parse(line).entry?.name === name);
    const store = await SqliteStore.open({ path: 'other', configured: 'other' });
    const [first, , third] = ENTRIES;
    if (!first || !third) throw new TypeError('no entries');
    await store.importEntry({ ...first, claims: { org: 'other' } });
    await store.importEntry({
      ...third,
      versions: third.versions.map((version) => ({ ...version, body: '{"other":1}' })),
    });
    await store.putRecord(
      'registry',
      'both',
      '{"body":{"name":"both","sources":["main"]},"createdAt":1,"updatedAt":2}',
    );
    const before = await Promise.all([store.readEntry(first), store.readEntry(third)]);
    await store.close();
    const wrong = [
      'no json',
      '{"entry":{}}',
      JSON.stringify({ entry: makeEntry('io.example/x', ['1.0.0'], { name: 'io.example/y' }) }),
      JSON.stringify({ entry: makeEntry('io.example/x', ['1.0.0', '1.0.0']) }),
      JSON.stringify({ entry: makeEntry('no namespace', ['1.0.0']) }),
      JSON.stringify({
        record: { kind: 'source', name: 'main', json: '{"body":{},"createdAt":1,"updatedAt":1}' },
      }),
      JSON.stringify({
        record: {
          kind: 'source',
          name: 'etc',
          json: JSON.stringify({
            body: { file: { path: '/etc/passwd' }, syncPolicy: { interval: '1m' } },
            createdAt: 1,
            updatedAt: 1,
          }),
        },
      }),
      JSON.stringify({ record: { kind: 'bundle', name: 'x', json: '{}' } }),
    ];
    const last = JSON.stringify({ entry: makeEntry('io.example/last', ['1.0.0'], { source: 'elsewhere' }) });
    dir.write('b.jsonl', [header, ...lines, ...wrong, last].join('\n'));
    const report = await importJson('b.jsonl', ...OTHER);
    expect(report).toMatchObject({ code: 1, imported: 6, unchanged: 0, unserved: ['elsewhere'] });
    const record = lines.findIndex((line) => JSON.parse(line).record?.kind === 'registry');
    const number = (index: number) => index + 2;
    const expected = [
      [number(record), 'record_differs'],
      [number(at(third.name)), 'version_differs'],
      [number(at(first.name)), 'claims_differ'],
      ...wrong.map((_, index) => [
        number(lines.length + index),
        index === 5 ? 'name_taken' : index === 6 ? 'path_forbidden' : 'line_invalid',
      ]),
    ];
    expect(report.refused.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual(
      expected,
    );
    const text = await runBerth(['overlay', 'import', 'b.jsonl', ...OTHER]);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(
      `b.jsonl:${number(at(third.name))}: The server io.example/a-c of source main`,
    );
    expect(text.stdout).toContain('No managed source is called elsewhere');
    expect(text.stdout).toContain('Imported 0 lines; 6 were there already, 11 refused.');
    const after = await SqliteStore.open({ path: 'other', configured: 'other' });
    onTestFinished(() => after.close());
    expect(await Promise.all([after.readEntry(first), after.readEntry(third)])).toEqual(before);
  });

  it('leaves credentials in addresses out, and knows the source again', async () => {
    const dir = enterDirectory();
    dir.write('registry.config.yaml', makeConfig());
    const store = await SqliteStore.open({ path: 'data', configured: 'data' });
    const put = (name: string, git: object) => {
      const body = { name, git, syncPolicy: { interval: '5m' } };
      return store.putRecord('source', name, JSON.stringify({ body, createdAt: 1, updatedAt: 1 }));
    };
    const auth = { username: 'bot', passwordFile: 'secrets/git' };
    await put('web', { repository: 'https://bot:s3cret@git.example.com/a.git', branch: 'main' });
    await put('ssh', { repository: 'ssh://git@git.example.com/a.git', branch: 'main' });
    await put('file', { repository: 'https://git.example.com/a.git', branch: 'main', auth });
    await store.close();
    const text = (await exportTo('a.jsonl')).join('\n');
    expect(text).not.toMatch(/s3cret|bot:/);
    expect(text).toContain('https://git.example.com/a.git');
    expect(text).toContain('ssh://git@git.example.com/a.git');
    expect(text).toContain('secrets/git');
    const { unchanged, refused } = await importJson('a.jsonl');
    expect([unchanged, refused]).toEqual([2, [expect.objectContaining({ code: 'path_forbidden' })]]);
  });

  it.each([
    ['', 'does not begin with the header'],
    ['{"entry":{}}\n', 'does not begin with the header'],
    ['{"berth":"overlay","version":2}\n', 'has version 2; this program reads version 1'],
  ])('refuses the file %j as a whole', async (text, message) => {
    enterDirectory().write('registry.config.yaml', makeConfig());
    writeFileSync('a.jsonl', text);
    expect(await runBerth(['overlay', 'import', 'a.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
    expect(await runBerth(['overlay', 'import', 'none.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.jsonl: The file cannot be read.'),
    });
  });

  it('exports nothing but the header where nothing was published, and says where it cannot write', async () => {
    enterDirectory().write('registry.config.yaml', makeConfig());
    expect(await exportTo('a.jsonl')).toHaveLength(1);
    expect(await importJson('a.jsonl')).toMatchObject({ code: 0, imported: 0 });
    expect(await runBerth(['overlay', 'export', '--out', 'none/a.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--out: The file cannot be written'),
    });
    rmSync('data', { recursive: true });
    mkdirSync('data');
    writeFileSync('data/overlay.db', 'no database at all, but long enough to look like one'.repeat(100));
    const damaged = await runBerth(['overlay', 'export']);
    expect(damaged).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot be read') });
  });
});

describe('berth overlay with PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await TestPostgres.start();
  });
  afterAll(() => postgres.close());

  it('moves everything from SQLite to PostgreSQL and back', async () => {
    const dir = await enterFilled();
    dir.write('pg.config.yaml', makeConfig({ database: await postgres.createDatabase() }));
    const pg = ['--config', 'pg.config.yaml'];
    const lines = await exportTo('a.jsonl');
    expect(await importJson('a.jsonl', ...pg)).toMatchObject({ code: 0, imported: 8, refused: [] });
    expect(await importJson('a.jsonl', ...pg)).toMatchObject({ code: 0, imported: 0, unchanged: 8 });
    expect(await exportTo('b.jsonl', ...pg)).toEqual(lines);
    expect(await importJson('b.jsonl', ...OTHER)).toMatchObject({ code: 0, imported: 8 });
    expect(await exportTo('c.jsonl', ...OTHER)).toEqual(lines);
  });

  it('brings entries, sources and registries to a service that runs', async () => {
    const dir = await enterFilled();
    await exportTo('a.jsonl');
    const config = makeConfig({ database: await postgres.createDatabase(), dataDir: 'live' });
    const service = await startService(config, { dir: dir.path });
    try {
      const namesOf = async (registry: string) => {
        const { status, json } = await service.ask(`/registry/${registry}/v0.1/servers`);
        return status === 200
          ? json.servers.map((item: { server: { name: string } }) => item.server.name)
          : [];
      };
      expect(await namesOf('all')).toEqual([]);
      const { imported } = await importJson('a.jsonl');
      expect(imported).toBe(8);
      await waitUntil(async () => (await namesOf('all')).length === 6, 'the imported versions');
      await waitUntil(
        async () => (await service.ask('/registry/both/v0.1/servers')).status === 200,
        'the imported registry',
      );
    } finally {
      await service.stop();
    }
  });
});
