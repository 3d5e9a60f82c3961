import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { makeRepository } from '../sources/kinds/git-repository.ts';
import { makeCatalog } from '../support/catalogs.ts';
import { runBerth } from '../support/run-command.ts';
import type { Service } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startCatalog } from './counted-catalog.ts';
import { listServers, startReplicas } from './start-replicas.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres?.close());

const REGISTRIES = [{ name: 'all', sources: ['team'] }];
const urlSource = (url: string, interval: string) => ({
  sources: [{ name: 'team', file: { url }, syncPolicy: { interval } }],
  registries: REGISTRIES,
});
const lists = async (services: readonly Service[], ...names: string[]): Promise<void> => {
  const wanted = names.map((name) => `${name}@1.0.0`);
  const looks = services.map((service) =>
    waitUntil(
      async () => JSON.stringify(await listServers(service)) === JSON.stringify(wanted),
      `${wanted} on ${service.url}`,
    ),
  );
  await Promise.all(looks);
};
/** That one process fetches every second, a tenth more or less. */
function expectPauses(fetches: readonly number[]): void {
  for (const [index, at] of fetches.entries()) {
    if (index > 0) expect(at - (fetches[index - 1] ?? 0)).toBeGreaterThan(850);
  }
}
/** The process that fetched: only it has synchronised. */
async function findLeader(services: readonly Service[]): Promise<Service> {
  const found = services.filter((service) => service.log().includes('source synchronised'));
  expect(found).toHaveLength(1);
  return found[0] as Service;
}

it(`${proves('C-10-03', 'C-10-05')} fetches a source once an interval, not once a process, and tells all how it went`, async () => {
  const catalog = await startCatalog('com.acme/a');
  const { all } = await startReplicas(postgres, urlSource(catalog.url, '1s'));
  await lists(all, 'com.acme/a');
  await waitUntil(() => catalog.fetches.length >= 6, 'six fetches', 15_000);
  expectPauses(catalog.fetches);
  catalog.serve('com.acme/b');
  await lists(all, 'com.acme/b');
  const seen = async () =>
    Promise.all(all.map(async (it) => (await it.ask('/v1/sources/team')).json.status.lastSyncTime));
  const first = await seen();
  await waitUntil(
    async () => (await seen()).every((time, index) => time > first[index]),
    'a later sync, known to all',
  );
  const readiness = await Promise.all(all.map((service) => service.probe('/readiness')));
  expect(readiness.map(({ status }) => status)).toEqual([200, 200, 200]);
});

it(`${proves('C-10-03', 'C-12.8-02')} lets the leader fetch when another one is asked to sync, and all go back when one is asked to`, async () => {
  const catalog = await startCatalog('com.acme/a');
  const { all } = await startReplicas(postgres, urlSource(catalog.url, '1h'));
  await lists(all, 'com.acme/a');
  const leader = await findLeader(all);
  const followers = all.filter((service) => service !== leader) as [Service, Service];
  const names = ['b', 'c', 'd', 'e'].map((letter) => `com.acme/${letter}`);
  for (const [index, name] of names.entries()) {
    catalog.serve(name);
    const asked = await (followers[index % 2] as Service).ask('/v1/sources/team/sync', { method: 'POST' });
    expect([asked.status, asked.json.phase]).toEqual([202, 'syncing']);
    await lists(all, name);
  }
  expect(catalog.fetches.length).toBe(5);
  await findLeader(all);
  await waitUntil(async () => {
    const reports = await Promise.all(all.map((service) => service.ask('/v1/sources/team')));
    return reports.every(({ json }) => json.status.phase === 'complete');
  }, 'the end of the sync on all');

  const hashOf = async (service: Service, place: number): Promise<string> =>
    (await service.ask('/v1/sources/team/bundles')).json.bundles[place].hash;
  const rollback = async (service: Service, place: number) =>
    service.ask('/v1/sources/team/rollback', {
      method: 'POST',
      body: { hash: await hashOf(service, place) },
    });
  for (const [service, place, name] of [
    [followers[0], 2, 'com.acme/c'],
    [leader, 1, 'com.acme/d'],
    [followers[1], 4, 'com.acme/a'],
  ] as const) {
    expect((await rollback(service, place)).status).toBe(200);
    await lists(all, name);
    const pages = await Promise.all(all.map((one) => one.ask('/registry/all/v0.1/servers')));
    expect(new Set(pages.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    const bundles = await Promise.all(all.map((one) => one.ask('/v1/sources/team/bundles')));
    for (const { json } of bundles) expect(json).toEqual(bundles[0]?.json);
  }
  // Another look at the unchanged source does not undo it, a change does.
  await followers[0].ask('/v1/sources/team/sync', { method: 'POST' });
  await waitUntil(() => catalog.fetches.length === 6, 'another fetch');
  await lists(all, 'com.acme/a');
  // The command, beside one of them.
  const { dir } = followers[1];
  const hash = (await hashOf(leader, 0)).slice('sha256:'.length);
  const ran = await runBerth(['bundles', 'rollback', 'team', hash, '--config', 'registry.config.yaml'], {
    cwd: dir,
  });
  expect(ran.stderr + ran.code).toBe('0');
  await lists(all, 'com.acme/e');
  catalog.serve('com.acme/f');
  await followers[1].ask('/v1/sources/team/sync', { method: 'POST' });
  await lists(all, 'com.acme/f');
});

it('fetches at the leader what the git server tells another one', async () => {
  const directory = makeDirectory();
  const repository = makeRepository(directory);
  await repository.commit({ 'registry.json': makeCatalog(['com.acme/a']) });
  const secret = 'secret shared with the git server';
  const { all } = await startReplicas(
    postgres,
    {
      sources: [
        {
          name: 'team',
          git: { repository: directory, branch: 'main', path: 'registry.json' },
          syncPolicy: { interval: '1h' },
        },
      ],
      registries: REGISTRIES,
      hooks: { secretFile: 'hook-secret' },
    },
    { prepare: (dir) => writeFileSync(join(dir, 'hook-secret'), secret) },
  );
  await lists(all, 'com.acme/a');
  const leader = await findLeader(all);
  await repository.commit({ 'registry.json': makeCatalog(['com.acme/b']) });
  const body = JSON.stringify({ ref: 'refs/heads/main' });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'X-GitHub-Delivery': '1', 'X-Hub-Signature-256': signature };
  const follower = all.find((service) => service !== leader) as Service;
  expect((await follower.ask('/hooks/git/team', { method: 'POST', headers, body })).status).toBe(202);
  await lists(all, 'com.acme/b');
});

it(`${proves('C-10-04', 'C-12.16-06')} goes on fetching within 10 s after the leader was killed`, async () => {
  const catalog = await startCatalog('com.acme/a');
  const { all } = await startReplicas(postgres, urlSource(catalog.url, '1s'));
  await lists(all, 'com.acme/a');
  const leader = await findLeader(all);
  leader.signal('SIGKILL');
  await leader.exited;
  const killedAt = performance.now();
  const others = all.filter((service) => service !== leader);
  catalog.serve('com.acme/b');
  await lists(others, 'com.acme/b');
  expect(performance.now() - killedAt).toBeLessThan(10_000);
  const taken = catalog.fetches.length;
  await waitUntil(() => catalog.fetches.length >= taken + 3, 'three more fetches');
  expectPauses(catalog.fetches.slice(taken - 1));
  await findLeader(others);
});

it('is ready when the leader could not fetch a source, as the leader is', async () => {
  const { all } = await startReplicas(postgres, urlSource('http://127.0.0.1:9/registry.json', '1h'), {
    count: 2,
  });
  await Promise.all(
    all.map((one) => waitUntil(async () => (await one.probe('/readiness')).status === 200, 'readiness')),
  );
  const reports = await Promise.all(all.map((service) => service.ask('/v1/sources/team')));
  for (const { json } of reports) {
    expect(json.status.phase).toBe('failed');
    expect(json.status.message).toBe(reports[0]?.json.status.message);
  }
});
