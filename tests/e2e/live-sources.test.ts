import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { makeCatalog } from '../support/catalogs.ts';
import { runBerth } from '../support/run-command.ts';
import { replaceFile, type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVERS = '/registry/tools/v0.1/servers';
let service: Service;
let file: string;

async function listNames(): Promise<string[]> {
  const { status, json } = await service.ask(SERVERS);
  expect(status).toBe(200);
  return json.servers.map(({ server }: { server: { name: string } }) => server.name);
}
const readStatus = async () => (await service.ask('/v1/sources/team')).json.status;
const serves = (...names: string[]) =>
  waitUntil(async () => (await listNames()).join() === names.join(), `${names.join()} served`);
const change = async (...names: string[]) => {
  replaceFile(file, makeCatalog(names));
  await serves(...names);
};

beforeAll(async () => {
  service = await startService(
    {
      sources: [{ name: 'team', file: { path: 'team.json' }, syncPolicy: { interval: '1h' } }],
      registries: [{ name: 'tools', sources: ['team'] }],
      auth: { mode: 'anonymous' },
    },
    { prepare: (dir) => writeFileSync(join(dir, 'team.json'), makeCatalog(['com.acme/first'])) },
  );
  file = join(service.dir, 'team.json');
});
afterAll(() => service?.stop());

describe('a watched file', () => {
  it(`${proves('C-2-23')} is live within a second of its change`, async () => {
    const took: number[] = [];
    for (const name of ['com.acme/a', 'com.acme/b', 'com.acme/c']) {
      const started = performance.now();
      await change(name, 'com.acme/first');
      took.push(performance.now() - started);
    }
    expect(Math.min(...took)).toBeLessThan(1000);
  });

  it(`${proves('C-4-08')} changes what is served without failing or mixing a request`, async () => {
    const first = (await listNames()).join(' ');
    let asking = true;
    const seen = new Set<string>();
    const askAll = async () => {
      while (asking) seen.add((await listNames()).join(' '));
    };
    const callers = [askAll(), askAll(), askAll()];
    const pairs = [1, 2, 3, 4, 5].map((i) => [`com.acme/left-${i}`, `com.acme/right-${i}`]);
    for (const pair of pairs) await change(...pair);
    asking = false;
    await Promise.all(callers);
    const allowed = new Set([first, ...pairs.map((pair) => pair.join(' '))]);
    expect([...seen].filter((one) => !allowed.has(one))).toEqual([]);
    for (const pair of pairs) expect(seen).toContain(pair.join(' '));
  });

  it('that breaks keeps what was served, says why, and comes back', async () => {
    await change('com.acme/good');
    for (const broken of ['{ "data": { "servers": [', '', '{"data":{"servers":[]}}']) {
      replaceFile(file, broken);
      await waitUntil(async () => (await readStatus()).phase === 'failed', `failure of ${broken}`);
      const { message } = await readStatus();
      expect(message).toMatch(/team\.json|no valid entry/);
      expect(message).not.toContain(service.dir);
      expect(await listNames()).toEqual(['com.acme/good']);
      await change('com.acme/good', 'com.acme/more');
      await change('com.acme/good');
      expect((await readStatus()).phase).toBe('complete');
    }
    rmSync(file);
    await waitUntil(async () => (await readStatus()).phase === 'failed', 'failure of a file that is gone');
    expect(await listNames()).toEqual(['com.acme/good']);
    expect((await service.probe('/readiness')).status).toBe(200);
    await change('com.acme/back');
  });

  it(`${proves('C-3-18', 'C-12.5-01', 'C-12.5-02')} with a bad and a repeated entry serves the rest and lists these with file, line and reason`, async () => {
    const good = (name: string) => `{"name":"com.acme/${name}","description":"d","version":"1.0.0"}`;
    const bad = '{"name":"no slash","description":"d","version":"1.0.0"}';
    replaceFile(
      file,
      `{"data":{"servers":[\n${[good('one'), bad, good('two'), good('one')].join(',\n')}\n]}}`,
    );
    await serves('com.acme/one', 'com.acme/two');
    const { rejected, phase } = await readStatus();
    expect(phase).toBe('complete');
    expect(rejected).toMatchObject([
      { file: 'team.json', line: 3 },
      { file: 'team.json', line: 5 },
    ]);
    for (const { reason } of rejected) expect(reason).toMatch(/\w{3}/);
    expect(service.log()).toMatch(/"file":"team\.json","line":3.*entry rejected/);
  });
});

describe('the bundles of a running service', () => {
  const bundles = async (...args: string[]) => {
    const ran = await runBerth(['bundles', ...args, '--config', service.configFile]);
    expect(ran.code, ran.stderr).toBe(0);
    return ran.stdout;
  };

  it(`${proves('C-4-05', 'C-4-06', 'C-12.2-01', 'C-12.2-02')} are listed and rolled back from the command line, live within 3 s`, async () => {
    await change('com.acme/old');
    await change('com.acme/new');
    const { hash } = (await readStatus()).bundle;
    expect(await bundles('list')).toContain(hash.replace('sha256:', '').slice(0, 8));
    await bundles('rollback', 'team');
    const started = performance.now();
    await serves('com.acme/old');
    expect(performance.now() - started).toBeLessThan(3000);
    await bundles('rollback', 'team', hash.replace('sha256:', '').slice(0, 12));
    await serves('com.acme/new');
  });

  it('are rolled back through the API, and stay so while the source does not change', async () => {
    await change('com.acme/older');
    await change('com.acme/newer');
    const list = await service.ask('/v1/sources/team/bundles');
    const older = list.json.bundles[1].hash;
    const rolled = await service.ask('/v1/sources/team/rollback', { method: 'POST', body: { hash: older } });
    expect(rolled.status).toBe(200);
    expect(await listNames()).toEqual(['com.acme/older']);
    await service.ask('/v1/sources/team/sync', { method: 'POST' });
    await waitUntil(async () => (await readStatus()).phase === 'complete', 'the sync');
    expect(await listNames()).toEqual(['com.acme/older']);
    await change('com.acme/newest');
  });
});

it(`${proves('C-2-22')} file.timeout bounds the fetch of a url`, async () => {
  const slow = createServer(() => undefined);
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    slow.closeAllConnections();
    slow.close();
  });
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/team.json`;
  const started = performance.now();
  const other = await startService({
    sources: [{ name: 'slow', file: { url, timeout: '1s' }, syncPolicy: { interval: '1h' } }],
    registries: [{ name: 'tools', sources: ['slow'] }],
    auth: { mode: 'anonymous' },
  });
  onTestFinished(() => other.stop());
  expect(performance.now() - started).toBeGreaterThan(1000);
  const { status } = (await other.ask('/v1/sources/slow')).json;
  expect(status).toMatchObject({ phase: 'failed', attempts: 1 });
});
