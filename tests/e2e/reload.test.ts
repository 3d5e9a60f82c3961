import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { type LoopbackIdp, startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource } from '../support/catalogs.ts';
import { runBerth } from '../support/run-command.ts';
import { type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVERS = '/registry/tools/v0.1/servers';
let idp: LoopbackIdp;
let service: Service;
let token: string;

interface Shape {
  readonly gate?: object;
  readonly claims?: object;
  readonly sources?: readonly object[];
  readonly listed?: readonly string[];
  readonly more?: object;
  readonly oauth?: object;
}

function describeConfig({ gate, claims, sources = [], listed = ['tools'], more, oauth }: Shape = {}): object {
  return {
    sources: [inlineSource('tools', ['com.acme/one'], { claims: claims ?? { org: 'acme' } }), ...sources],
    registries: [
      { name: 'tools', description: 'What acme uses', sources: listed, claims: gate ?? { org: 'acme' } },
    ],
    auth: {
      publicPaths: ['/open-a'],
      oauth: {
        resourceUrl: 'http://registry.example.test',
        publicPaths: ['/open-b'],
        providers: [idp.provider()],
        ...oauth,
      },
      authz: { roles: { superAdmin: [{ role: 'root' }] } },
    },
    ...more,
  };
}

const status = async (path = SERVERS) => (await service.ask(path, { token })).status;
const listNames = async (): Promise<string[]> => {
  const { json } = await service.ask(SERVERS, { token });
  return json.servers.map(({ server }: { server: { name: string } }) => server.name);
};

beforeAll(async () => {
  idp = await startIdp();
  token = idp.mint({ org: 'acme', team: 'data' });
  service = await startService(describeConfig());
});
afterAll(async () => {
  await service?.stop();
  await idp?.close();
});
beforeEach(async () => {
  service.configure(describeConfig());
  await waitUntil(
    async () => (await status()) === 200 && (await listNames()).length === 1,
    'the first state',
  );
});

describe('an edit of the configuration', () => {
  it(`${proves('C-2-81', 'S-2.2-11', 'C-2-49')} applies claims of sources and registries to callers who are signed in already`, async () => {
    service.configure(describeConfig({ gate: { org: 'acme', team: 'platform' } }));
    await waitUntil(async () => (await status()) === 403, 'the gate to close');
    service.configure(describeConfig({ claims: { team: 'platform' } }));
    await waitUntil(
      async () => (await status()) === 200 && (await listNames()).length === 0,
      'the entry to go',
    );
    const registries = await service.ask('/registry', { token });
    expect(registries.json.registries).toEqual([
      { name: 'tools', description: 'What acme uses', url: 'http://registry.example.test/registry/tools' },
    ]);
  });

  it(`${proves('C-2-81')} adds and removes sources and registries`, async () => {
    const added = inlineSource('added', ['com.acme/two'], { claims: { org: 'acme' } });
    service.configure(describeConfig({ sources: [added], listed: ['tools', 'added'] }));
    await waitUntil(async () => (await listNames()).length === 2, 'the added source');
    expect(await listNames()).toEqual(['com.acme/one', 'com.acme/two']);
    const root = idp.mint({ role: 'root' });
    expect((await service.ask('/v1/sources/added', { token: root })).status).toBe(200);
    service.configure(describeConfig());
    await waitUntil(async () => (await listNames()).length === 1, 'the source to go');
    expect((await service.ask('/v1/sources/added', { token: root })).status).toBe(404);
  });

  it(`${proves('C-2-50')} moves public paths, wherever they are written`, async () => {
    expect([(await service.ask('/open-a')).status, (await service.ask('/open-b')).status]).toEqual([
      404, 404,
    ]);
    service.configure(describeConfig({ oauth: { publicPaths: ['/open-c'] } }));
    await waitUntil(async () => (await service.ask('/open-c')).status === 404, 'the new public path');
    expect([(await service.ask('/open-a')).status, (await service.ask('/open-b')).status]).toEqual([
      404, 401,
    ]);
  });

  it(`${proves('C-2-81')} never fails a request`, async () => {
    let asking = true;
    const seen: number[] = [];
    const askAll = async () => {
      while (asking) seen.push(await status());
    };
    const callers = [askAll(), askAll(), askAll()];
    for (let i = 0; i < 5; i++) {
      const added = inlineSource(`extra-${i}`, [`com.acme/extra-${i}`], { claims: { org: 'acme' } });
      service.configure(describeConfig({ sources: [added], listed: ['tools', `extra-${i}`] }));
      await waitUntil(async () => (await listNames()).includes(`com.acme/extra-${i}`), `edit ${i}`);
    }
    asking = false;
    await Promise.all(callers);
    expect(seen.length).toBeGreaterThan(50);
    expect(seen.filter((one) => one !== 200)).toEqual([]);
  });
});

describe('an invalid edit', () => {
  it.each([
    ['an unknown key', (valid: object) => ({ ...valid, registrys: [] }), 'registrys'],
    [
      'a missing source',
      (valid: object) => ({ ...valid, registries: [{ name: 'tools', sources: ['tool'] }] }),
      'tool',
    ],
    ['no YAML', () => 'sources: [', 'registry.config.yaml'],
    ['an empty file', () => '', 'registry.config.yaml'],
  ])(`${proves('C-2-82', 'C-2-83', 'C-2-84', 'C-12.14-01')} is refused as berth validate would, told on /readiness, and changes nothing: %s`, async (_, damage, hint) => {
    service.configure(damage(describeConfig({ gate: { org: 'nobody' } })));
    const notes = async (): Promise<string[]> => (await service.probe('/readiness')).json.notes ?? [];
    const told = await waitUntil(async () => (await notes())[0], 'the refusal on /readiness');
    expect((await service.probe('/readiness')).status).toBe(200);
    const { code, stdout, stderr } = await runBerth(['validate', '--config', service.configFile]);
    expect(code).toBe(1);
    const message =
      (stdout + stderr).split('\n').find((line) => line.includes(hint)) ?? 'nothing of the kind';
    const words = message.replace(/^.*?registry\.config\.yaml:\d+:\d+: /, '');
    expect(told).toContain(words);
    expect(told).toContain('registry.config.yaml');
    const logged = service
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(logged.map((line) => JSON.parse(line).msg).at(-1)).toContain(words);
    expect([await status(), await listNames()]).toEqual([200, ['com.acme/one']]);
    service.configure(describeConfig());
    await waitUntil(async () => (await notes()).length === 0, 'the note to go');
  });

  it('of what cannot change while it runs says that a restart is needed', async () => {
    service.configure(describeConfig({ more: { dataDir: 'elsewhere' } }));
    const told = await waitUntil(async () => {
      const { notes = [] } = (await service.probe('/readiness')).json;
      return notes[0];
    }, 'the refusal');
    expect(told).toMatch(/dataDir.*restart/is);
    expect(await status()).toBe(200);
  });
});
