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

const MANAGED = {
  sources: [{ name: 'published', managed: {} }],
  registries: [{ name: 'all', sources: ['published'] }],
  sourcesPolicy: { allowPrivateIP: true },
};
const server = (name: string) => `/v1/entries/server/${encodeURIComponent(name)}`;
const detail = (name: string, version = 'latest') =>
  `/registry/all/v0.1/servers/${encodeURIComponent(name)}/versions/${version}`;

/** Milliseconds until all of them show it. */
async function seenByAll(
  services: readonly Service[],
  look: (service: Service) => Promise<boolean>,
): Promise<number> {
  const start = performance.now();
  const took = services.map(async (service) => {
    await waitUntil(() => look(service), 'the change', 5000);
    return performance.now() - start;
  });
  return Math.max(...(await Promise.all(took)));
}

it(`${proves('C-10-01')} shows on all what one of them answered, within a second`, async () => {
  const { all } = await startReplicas(postgres, MANAGED);
  const within = async (look: (service: Service) => Promise<boolean>) =>
    expect(await seenByAll(all, look)).toBeLessThan(1000);
  for (let round = 0; round < 12; round++) {
    const by = all[round % all.length] as Service;
    const name = `com.acme/tool-${round}`;
    expect((await publish(by, makeServer(name))).status).toBe(201);
    await within(async (service) => {
      const [listed, found, read] = await Promise.all([
        listServers(service),
        service.ask(`/registry/all/v0.1/servers?search=tool-${round}`),
        service.ask(detail(name)),
      ]);
      return listed.includes(`${name}@1.0.0`) && found.json.servers.length > 0 && read.status === 200;
    });
  }
  const [first, second, third] = all as [Service, Service, Service];
  const change = (by: Service, method: string, path: string, body?: object) =>
    by.ask(server('com.acme/tool-0') + path, { method, body });
  expect((await publish(second, makeServer('com.acme/tool-0', '2.0.0'))).status).toBe(201);
  await within(
    async (service) => (await service.ask(detail('com.acme/tool-0'))).json.server.version === '2.0.0',
  );
  expect((await change(third, 'PATCH', '/versions/2.0.0', { status: 'deprecated' })).status).toBe(200);
  await within(async (service) =>
    (await service.ask(detail('com.acme/tool-0', '2.0.0'))).text.includes('"status":"deprecated"'),
  );
  expect((await change(first, 'PUT', '/claims', { claims: { org: 'acme' } })).status).toBe(204);
  await within(
    async (service) => (await service.ask(`${server('com.acme/tool-0')}/claims`)).json.claims.org === 'acme',
  );
  expect((await change(second, 'DELETE', '/versions/2.0.0')).status).toBe(204);
  await within(async (service) => (await service.ask(detail('com.acme/tool-0', '2.0.0'))).status === 404);
  expect((await publish(third, makeServer('com.acme/tool-0', '2.0.0'))).status).toBe(409);
});

it(`${proves('C-6-80', 'C-6-78')} lets one of 100 concurrent publishes of a version win, over all of them`, async () => {
  const { all } = await startReplicas(postgres, MANAGED);
  for (const round of [1, 2]) {
    const body = makeServer('com.acme/contested', `${round}.0.0`);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => publish(all[index % all.length] as Service, body)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(99).fill(409)]);
  }
  await seenByAll(all, async (service) => (await listServers(service)).length === 2);
});

it(`${proves('C-12.17-01')} gives the same answers, ETags, bundle hashes and cursors on all, also on one that comes later`, async () => {
  const catalog = await startCatalog('com.acme/a', 'com.acme/b@2.0.0', 'com.acme/c');
  const replicas = await startReplicas(postgres, {
    ...MANAGED,
    sources: [
      { name: 'team', file: { url: catalog.url }, syncPolicy: { interval: '1h' } },
      ...MANAGED.sources,
    ],
    registries: [{ name: 'all', sources: ['team', 'published'] }],
  });
  const [first] = replicas.all as [Service];
  for (const name of ['com.acme/d', 'com.acme/b', 'com.acme/e'])
    expect((await publish(first, makeServer(name))).status).toBe(201);
  await seenByAll(replicas.all, async (service) => (await listServers(service)).length === 5);
  // Times of a second bundle are carried over from the first.
  catalog.serve('com.acme/a', 'com.acme/b@2.0.0', 'com.acme/c', 'com.acme/f');
  await replicas.all[2]?.ask('/v1/sources/team/sync', { method: 'POST' });
  await seenByAll(replicas.all, async (service) => (await listServers(service)).length === 6);
  const late = await replicas.add();
  await seenByAll([late], async (service) => (await listServers(service)).length === 6);

  const list = '/registry/all/v0.1/servers?limit=2';
  const page = await first.ask(list);
  const next = `${list}&cursor=${encodeURIComponent(page.json.metadata.nextCursor)}`;
  for (const path of [list, next, detail('com.acme/b'), '/registry/all/v0.1/servers?search=acme']) {
    const answers = await Promise.all(replicas.all.map((service) => service.ask(path)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers.get('etag')).toBe(answers[0]?.headers.get('etag'));
    }
    const etag = answers[0]?.headers.get('etag') ?? '';
    for (const service of replicas.all)
      expect((await service.ask(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  }
  const bundles = await Promise.all(replicas.all.map((service) => service.ask('/v1/sources/team/bundles')));
  expect(bundles[0]?.json.bundles).toHaveLength(2);
  for (const { json } of bundles) expect(json).toEqual(bundles[0]?.json);
  expect(catalog.fetches.length).toBe(2);
});

it(`${proves('C-10-01')} has the sources and registries made through one of them on all`, async () => {
  const catalog = await startCatalog('com.acme/made');
  const { all } = await startReplicas(postgres, MANAGED);
  const [first, second, third] = all as [Service, Service, Service];
  const source = { file: { url: catalog.url }, syncPolicy: { interval: '1h' }, claims: {} };
  expect((await first.ask('/v1/sources/made', { method: 'PUT', body: source })).status).toBe(201);
  expect(await seenByAll(all, async (it) => (await it.ask('/v1/sources/made')).status === 200)).toBeLessThan(
    1000,
  );
  const registry = { sources: ['made'], claims: {} };
  expect((await second.ask('/v1/registries/own', { method: 'PUT', body: registry })).status).toBe(201);
  expect(
    await seenByAll(all, async (it) => (await it.ask('/registry/own/v0.1/servers')).status === 200),
  ).toBeLessThan(1000);
  await seenByAll(all, async (it) => (await listServers(it, 'own')).includes('com.acme/made@1.0.0'));
  await seenByAll(all, async (it) => (await it.ask('/v1/sources/made')).json.status.phase === 'complete');
  const reports = await Promise.all(all.map((service) => service.ask('/v1/sources/made')));
  for (const { json } of reports) expect(json).toEqual(reports[0]?.json);
  expect(catalog.fetches.length).toBe(1);
  expect((await third.ask('/v1/registries/own', { method: 'DELETE' })).status).toBe(204);
  await seenByAll(all, async (it) => (await it.ask('/registry/own/v0.1/servers')).status === 404);
  expect((await first.ask('/v1/sources/made', { method: 'DELETE' })).status).toBe(204);
  await seenByAll(all, async (it) => (await it.ask('/v1/sources/made')).status === 404);
  // Many at once, by all: nothing made is lost.
  const names = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const made = await Promise.all(
    names.map((name, index) =>
      all[index % 3]?.ask(`/v1/sources/${name}`, { method: 'PUT', body: { managed: {}, claims: {} } }),
    ),
  );
  expect(made.map((answer) => answer?.status)).toEqual(names.map(() => 201));
  await seenByAll(all, async (it) => {
    const { json } = await it.ask('/v1/sources');
    return names.every((name) => json.sources.some((known: { name: string }) => known.name === name));
  });
});
