import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Identity } from '../../../server/auth/identity.ts';
import { answerConsumer } from '../../../server/consumer/answer-consumer.ts';
import { readDeclarations } from '../../../server/declared-records.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { RegistryService } from '../../../server/registry-service.ts';
import { loadConfig } from '../../../sources/config/load-config.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';
import { proves } from '../../requirements/proves.ts';
import { makeRuntime, silentDeps } from '../../support/consumer-bench.ts';
import { makeIdentity, makeSuperAdmin } from '../../support/make-identity.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

type Config = Readonly<Record<string, unknown>>;

const CALLERS: Readonly<Record<string, Identity>> = {
  acme: makeIdentity({ org: 'acme' }),
  blue: makeIdentity({ org: 'acme', team: 'blue' }),
  admin: makeSuperAdmin(),
};

const catalog = (...names: string[]) => ({
  version: '1.0.0',
  meta: {},
  data: {
    servers: names.map((name) => ({ name, version: '1.0.0', description: `About ${name}` })),
    skills: [{ namespace: 'com.acme', name: 'plot', version: '1.0.0', description: 'Plots' }],
  },
});
const inline = (name: string, servers: string[], claims?: object) => ({
  name,
  file: { data: catalog(...servers) },
  syncPolicy: { interval: '1h' },
  ...(claims ? { claims } : {}),
});

/** The service a configuration makes, asked by callers told by their token. */
async function start(config: Config) {
  const dir = makeDirectory();
  const file = join(dir, 'registry.config.yaml');
  const load = (next: Config) => {
    writeFileSync(
      file,
      stringify({ auth: { mode: 'anonymous' }, ...next }, { aliasDuplicateObjects: false }),
    );
    return loadConfig(file);
  };
  const loaded = await load(config);
  const store = await SqliteStore.open({ path: loaded.dataDir, configured: loaded.config.dataDir });
  const failures: string[] = [];
  const service = new RegistryService({
    loaded,
    overlay: await Overlay.open(store),
    api: await readDeclarations(store),
    compiler: createCompiler(),
    events: {
      onSwap: () => undefined,
      onSynced: () => undefined,
      onFailed: (source, _status, error) => failures.push(`${source.name}: ${error.message}`),
      onTrouble: (source, error) => failures.push(`${source}: ${error}`),
    },
  });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  await service.start();
  const runtime = await makeRuntime(() => service.world, { callers: CALLERS });
  const ask = async (path: string, as = 'admin') => {
    const [route = '', query = ''] = path.split('?');
    const header = (name: string) => (name === 'authorization' ? `Bearer ${as}` : undefined);
    const request = { method: 'GET', path: `/registry/${route}`, query, header };
    const { status, body = '' } = await answerConsumer(runtime, silentDeps, request, 'id', '');
    const names = [
      ...Buffer.from(body)
        .toString()
        .matchAll(/"name":"([^"]+)"/g),
    ].map(([, name]) => name);
    return status === 200 ? names : status;
  };
  const reload = async (next: Config) => service.reload(await load(next));
  return { service, ask, reload, failures, dir };
}

describe('what a configuration says', () => {
  it(`${proves('S-1-01', 'S-1-06', 'S-1-07', 'S-1-08', 'S-2.3-02', 'C-2-49')} is what each registry serves: the entries of its sources and of no other, servers and skills`, async () => {
    const { ask, service, failures } = await start({
      sources: [inline('one', ['a.a/x']), inline('two', ['b.b/x']), inline('three', ['c.c/x'])],
      registries: [
        { name: 'first', sources: ['one', 'three'], description: 'One and three' },
        { name: 'second', sources: ['two'] },
      ],
    });
    expect(failures).toEqual([]);
    expect(await ask('first/v0.1/servers')).toEqual(['a.a/x', 'c.c/x']);
    expect(await ask('second/v0.1/servers')).toEqual(['b.b/x']);
    expect(await ask('second/v0.1/x/dev.toolhive/skills')).toEqual(['plot']);
    expect(await ask('third/v0.1/servers')).toBe(404);
    expect(service.world.registries.get('first')?.settings.description).toBe('One and three');
  });

  it(`${proves('S-5.10-06', 'S-5.10-07', 'S-2.2-08', 'S-2.2-11', 'S-2.4-04')} about claims holds for registries and synced entries, and at once when it changes`, async () => {
    const sources = [inline('open', ['a.a/x'], { org: 'acme' }), inline('bare', ['b.b/x'])];
    const registries = [
      { name: 'main', sources: ['open', 'bare'], claims: { org: 'acme' } },
      { name: 'bare', sources: ['open'] },
    ];
    const { ask, reload, failures } = await start({ sources, registries });
    expect(await ask('main/v0.1/servers', 'acme')).toEqual(['a.a/x']);
    expect(await ask('bare/v0.1/servers', 'acme')).toBe(403);
    const [open, bare] = sources;
    await reload({
      sources: [
        { ...open, claims: { org: 'acme', team: 'blue' } },
        { ...bare, claims: { org: 'acme' } },
      ],
      registries: registries.map((registry) => ({ ...registry, claims: { org: 'acme' } })),
    });
    expect(await ask('main/v0.1/servers', 'acme')).toEqual(['b.b/x']);
    expect(await ask('main/v0.1/servers', 'blue')).toEqual(['a.a/x', 'b.b/x']);
    expect(await ask('bare/v0.1/servers', 'acme')).toEqual([]);
    await reload({ sources, registries });
    expect(await ask('main/v0.1/servers', 'blue')).toEqual(['a.a/x']);
    expect(failures).toEqual([]);
  });

  it(`${proves('C-4-08')} is answered all the while its bundles are swapped`, async () => {
    const sources = [{ name: 'one', file: { path: 'catalog.json' }, syncPolicy: { interval: '1h' } }];
    const { ask, service, dir } = await start({ sources, registries: [{ name: 'main', sources: ['one'] }] });
    let done = false;
    const asking = (async () => {
      const seen = new Set<string>();
      while (!done) {
        seen.add(JSON.stringify(await ask('main/v0.1/servers?limit=2')));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return seen;
    })();
    for (let round = 0; round < 5; round++) {
      writeFileSync(join(dir, 'catalog.json'), JSON.stringify(catalog(`a.a/x${round}`)));
      service.requestSync('one');
      await expect.poll(() => service.world.segments.get('one')?.servers.nameAt(0)).toBe(`a.a/x${round}`);
    }
    done = true;
    const answers = [...(await asking)];
    expect(answers.length).toBeGreaterThan(2);
    for (const answer of answers) expect(answer).toMatch(/^\[("a\.a\/x\d")?\]$/);
    expect(answers.filter((answer) => /^\d/.test(answer))).toEqual([]);
  });
});
