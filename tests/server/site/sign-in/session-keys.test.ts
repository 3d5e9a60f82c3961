import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSessionKeys } from '../../../../server/site/sign-in/session-keys.ts';
import { configSchema, type LoadedConfig } from '../../../../sources/config/schema.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';

function load(
  baseDir: string,
  signIn: Readonly<Record<string, unknown>> | undefined = {},
  more: Readonly<Record<string, unknown>> = {},
): LoadedConfig {
  const provider = { name: 'a', issuerUrl: 'https://id.test', audience: 'x', clientId: 'site' };
  const config = configSchema.parse({
    sources: [{ name: 'any', managed: {} }],
    registries: [{ name: 'any', sources: ['any'] }],
    auth: { oauth: { resourceUrl: 'https://registry.test', providers: [provider] } },
    site: { signIn },
    ...more,
  });
  return { config, file: join(baseDir, 'f'), baseDir, dataDir: join(baseDir, 'data') };
}

const open = async (loaded: LoadedConfig) => {
  const warnings: string[] = [];
  const keys = await openSessionKeys(loaded, (message) => warnings.push(message));
  return { keys, warnings };
};

describe('keys of sessions', () => {
  it('are made once in the data directory, for this user alone', async () => {
    const loaded = load(makeDirectory());
    const first = await open(loaded);
    const file = join(loaded.dataDir, 'site-session.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(loaded.dataDir)).toEqual(['site-session.key']);
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(48);
    const second = await open(loaded);
    expect(second.keys).toEqual(first.keys);
    expect((await open(load(makeDirectory()))).keys).not.toEqual(first.keys);
    expect(first.warnings).toEqual([]);
  });

  it('are the same for processes that start at once', async () => {
    const loaded = load(makeDirectory());
    const opened = await Promise.all(Array.from({ length: 12 }, () => open(loaded)));
    const texts = opened.map(({ keys }) => Buffer.from(keys?.session ?? []).toString('hex'));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toHaveLength(64);
    expect(readdirSync(loaded.dataDir)).toEqual(['site-session.key']);
  });

  it('differ for each use', async () => {
    const { keys } = await open(load(makeDirectory()));
    const texts = Object.values(keys ?? {}).map((key) => Buffer.from(key).toString('hex'));
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(3);
  });

  it('come from the file that is named, so that replicas can share it', async () => {
    const [one, two] = [makeDirectory(), makeDirectory()];
    for (const dir of [one, two]) writeFileSync(join(dir, 'key'), 'k'.repeat(32));
    const first = await open(load(one, { sessionKeyFile: 'key' }, { database: { host: 'db' } }));
    const second = await open(load(two, { sessionKeyFile: join(two, 'key') }));
    expect(first.keys).toEqual(second.keys);
    expect(first.warnings).toEqual([]);
    expect(readdirSync(one)).toEqual(['key']);
  });

  it('tell that replicas need one file when a database is shared', async () => {
    const { warnings, keys } = await open(load(makeDirectory(), {}, { database: { host: 'db' } }));
    expect(keys).toBeDefined();
    expect(warnings).toEqual([
      'site.signIn.sessionKeyFile is missing: another replica of this registry does not know the sessions of this one. Give all replicas the same file.',
    ]);
  });

  it.each([
    ['a file that is not there', 'none', 'session_key_unreadable'],
    ['a key that is short', 'short', 'session_key_short'],
  ])('are refused from %s', async (_title, sessionKeyFile, code) => {
    const dir = makeDirectory();
    writeFileSync(join(dir, 'short'), 'k'.repeat(31));
    const file = join(dir, sessionKeyFile);
    await expect(open(load(dir, { sessionKeyFile }))).rejects.toMatchObject({ code, at: { file } });
  });

  it('are refused where they cannot be kept', async () => {
    const dir = makeDirectory();
    writeFileSync(join(dir, 'data'), 'a file in the place of the directory');
    await expect(open(load(dir))).rejects.toMatchObject({
      code: 'session_key_unwritable',
      fix: 'Let this user write dataDir, or name a key with site.signIn.sessionKeyFile.',
    });
  });

  it('are refused from a key in the data directory that was cut', async () => {
    const loaded = load(makeDirectory());
    mkdirSync(loaded.dataDir);
    writeFileSync(join(loaded.dataDir, 'site-session.key'), '');
    await expect(open(loaded)).rejects.toMatchObject({ code: 'session_key_short' });
  });

  it('are not made where nobody signs in', async () => {
    const dir = makeDirectory();
    const loaded = { ...load(dir), config: { ...load(dir).config, auth: undefined } };
    expect((await open(loaded)).keys).toBeUndefined();
    expect(readdirSync(dir)).toEqual([]);
  });
});
