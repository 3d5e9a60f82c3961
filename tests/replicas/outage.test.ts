import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import type { Service } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startCatalog } from './counted-catalog.ts';
import { listServers, makeServer, publish, startReplicas } from './start-replicas.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres?.close());

const OUTAGE_MS = 8000;

it(`${proves('C-9-14', 'C-12.16-01', 'C-12.16-02', 'C-12.16-03', 'C-12.16-04', 'C-12.16-05')} reads on while the database is away, refuses writes, and is as before when it is back`, async () => {
  const catalog = await startCatalog('com.acme/fetched');
  const { all } = await startReplicas(
    postgres,
    {
      sources: [
        { name: 'team', file: { url: catalog.url }, syncPolicy: { interval: '1s' } },
        { name: 'published', managed: {} },
      ],
      registries: [{ name: 'all', sources: ['team', 'published'] }],
    },
    { count: 2 },
  );
  const [first, second] = all as [Service, Service];
  expect((await publish(first, makeServer('com.acme/before'))).status).toBe(201);
  const before = ['com.acme/before@1.0.0', 'com.acme/fetched@1.0.0'];
  for (const one of all) await waitUntil(async () => (await listServers(one)).length === 2, 'both entries');

  await postgres.stop();
  const stoppedAt = performance.now();
  const unready = Promise.all(
    all.map((one) => waitUntil(async () => (await one.probe('/readiness')).status === 503, '503', 12_000)),
  );
  do {
    for (const one of all) {
      expect(await listServers(one)).toEqual(before);
      for (const refused of [
        await publish(one, makeServer('com.acme/during')),
        await one.ask('/v1/entries/server/com.acme%2Fbefore/versions/1.0.0', { method: 'DELETE' }),
        await one.ask('/v1/sources/more', { method: 'PUT', body: { managed: {}, claims: {} } }),
      ]) {
        expect([refused.status, refused.json.code]).toEqual([503, 'store_unavailable']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    await delay(200);
  } while (performance.now() - stoppedAt < OUTAGE_MS);
  await unready;
  for (const one of all) expect((await one.probe('/readiness')).text).toContain('database');

  await postgres.startAgain();
  const backAt = performance.now();
  for (const one of all)
    await waitUntil(async () => (await one.probe('/readiness')).status === 200, 'readiness', 20_000);
  await waitUntil(
    async () => (await publish(first, makeServer('com.acme/after'))).status === 201,
    'a publish',
    20_000,
  );
  const publishedAt = performance.now();
  await waitUntil(
    async () => (await listServers(second)).includes('com.acme/after@1.0.0'),
    'the publish',
    3000,
  );
  expect(performance.now() - publishedAt).toBeLessThan(3000);
  catalog.serve('com.acme/fetched', 'com.acme/anew');
  for (const one of all)
    await waitUntil(async () => (await listServers(one)).includes('com.acme/anew@1.0.0'), 'a fetch', 20_000);
  expect(performance.now() - backAt).toBeLessThan(20_000);
  for (const one of all)
    expect(await listServers(one)).toEqual(['com.acme/after@1.0.0', 'com.acme/anew@1.0.0', ...before]);
  for (const one of all) expect(one.log()).not.toContain('"level":"fatal"');
}, 90_000);
