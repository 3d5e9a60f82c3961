import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportPlan, readExportedPlan } from '../../../cli/run/exported-plan.ts';
import { resolvePlan } from '../../../cli/run/resolve-plan.ts';
import { storeGivenSecrets } from '../../../cli/run/store-given-secrets.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { proves } from '../../requirements/proves.ts';
import { enterDirectory } from '../working-directory.ts';
import { listEntries, resolveWords } from './make-entry.ts';
import { parseWords } from './parse-words.ts';

const REGISTRY = listEntries();
const planOf = async (...words: string[]) => (await resolveWords(words, REGISTRY)).plan;

async function runFrom(words: readonly string[], cwd: string) {
  const flags = await parseWords(words, cwd);
  return resolvePlan(undefined, flags, { cwd, openRegistry: async () => REGISTRY });
}

describe('an exported configuration', () => {
  it(`${proves('K-2-29')} reads back as what was written, whatever is in it`, async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          word,
          text.filter((value) => !value.includes('\0')),
        ),
        fc.array(text),
        fc.dictionary(word, word),
        fc.integer({ min: 1, max: 65_535 }),
        fc.boolean(),
        async (env, args, secrets, port, isolates) => {
          const wish = Object.entries(env)
            .filter(([name]) => !(name in secrets))
            .flatMap(([name, value]) => ['-e', `${name}=${value}`]);
          const names = Object.entries(secrets).flatMap(([name, secret]) => [
            '--secret',
            `${secret},target=${name}`,
          ]);
          const plan = await planOf(
            'img:1',
            ...wish,
            ...names,
            '--proxy-port',
            String(port),
            `--isolate-network=${isolates}`,
            '--',
            ...args,
          );
          expect(readExportedPlan('f.json', exportPlan({ plan }))).toEqual(plan);
        },
      ),
      { numRuns: 60 },
    );
  });

  it(`${proves('K-2-29')} has a version and no value of a secret`, async () => {
    const resolved = await resolveWords(
      [
        'http://h/mcp',
        '--remote-auth-client-secret',
        'hush-1',
        '--oidc-issuer',
        'https://i',
        '--oidc-client-secret',
        'hush-2',
        '--token-exchange-url',
        'https://t',
        '--token-exchange-client-secret',
        'hush-3',
      ],
      REGISTRY,
    );
    const kept = new Map<string, string>();
    const plan = await storeGivenSecrets({ ...resolved.plan, name: 'final' }, resolved.given, {
      set: async (name, value) => void kept.set(name, value),
    });
    const text = exportPlan({ plan });
    expect(JSON.parse(text)).toHaveProperty('schemaVersion', '1');
    expect(text).not.toContain('hush');
    expect([...kept]).toEqual([
      ['berth.final.oidc-client-secret', 'hush-2'],
      ['berth.final.remote-auth-client-secret', 'hush-1'],
      ['berth.final.token-exchange-client-secret', 'hush-3'],
    ]);
    expect(plan.oidc?.clientSecret).toBe('berth.final.oidc-client-secret');
  });

  it(`${proves('K-2-30')} is checked like flags, with file and field`, async () => {
    const good = JSON.parse(exportPlan({ plan: await planOf('img:1') }));
    const read = (change: object) => () =>
      readExportedPlan('c.json', JSON.stringify({ ...good, ...change }, null, 2));
    expect(read({})).not.toThrow();
    expect(read({ frobnicate: true })).toThrow(/c\.json:\d+:.*frobnicate/);
    expect(read({ schemaVersion: '999.0' })).toThrow(/999\.0/);
    expect(read({ name: '../x' })).toThrow(/c\.json:\d+:.*name/);
    expect(read({ proxy: { port: 0 } })).toThrow(/c\.json:\d+:.*port/);
    expect(read({ labels: { 'bad key!': 'x' } })).toThrow(/labels/);
    expect(read({ forwardHeaders: { plain: { Host: 'x' } } })).toThrow(/Host/);
    expect(read({ network: { mode: 'host', isolate: true } })).toThrow(/network/);
    expect(read({ volumes: [{ source: '/nowhere-at-all', target: '/x' }] })).toThrow(/nowhere-at-all/);
    expect(() => readExportedPlan('b.json', '{"oops"')).toThrow(/b\.json/);
  });

  it('is read with tabs too', async () => {
    const text = JSON.stringify(await planOf('img:1'), null, '\t');
    expect(readExportedPlan('t.json', text).name).toBe('img');
  });
});

describe('--from-config', () => {
  it(`${proves('R-1-10', 'R-4.1-06', 'K-2-31')} runs what the file says, with another name and group if wanted`, async () => {
    const { path, write } = enterDirectory();
    write('e.json', exportPlan({ plan: await planOf('img:1', '-e', 'A=1') }));
    expect(await runFrom(['--from-config', 'e.json'], path)).toMatchObject({
      plan: { name: 'img', env: { A: '1' } },
      nameIsDerived: false,
    });
    const words = [
      '--from-config',
      'e.json',
      '--name',
      'n',
      '--group',
      'g',
      '-f',
      '--format',
      'json',
      '--detach-timeout',
      '1m',
      '--debug',
      '--dry-run',
    ];
    expect((await runFrom(words, path)).plan).toMatchObject({
      name: 'n',
      group: 'g',
      debug: true,
      env: { A: '1' },
    });
  });

  it('goes with no other flag, and lists those that were given', async () => {
    const { path } = enterDirectory();
    const error = await runFrom(
      ['--from-config', 'e.json', '--tools', 'a', '-e', 'A=1', 'img', '--', 'x'],
      path,
    ).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(/img, .*--env, --tools|img, --tools, --env|img, .*--tools/);
  });

  it(`${proves('K-8.1-14')} names a file that is missing`, async () => {
    const { path } = enterDirectory();
    await expect(runFrom(['--from-config', 'zz.json'], path)).rejects.toThrow(/zz\.json/);
  });
});
