import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import type { Service } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReplicas } from './start-replicas.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres?.close());

const BASE = {
  sources: [{ name: 'published', managed: {} }],
  registries: [{ name: 'all', sources: ['published'] }],
};

it('never leaves a registry with a source that another process deleted meanwhile', async () => {
  const replicas = await startReplicas(postgres, BASE, { count: 2 });
  const [first, second] = replicas.all as [Service, Service];
  const put = (service: Service, path: string, body: object) => service.ask(path, { method: 'PUT', body });
  const outcomes: string[] = [];
  for (let round = 0; round < 15; round++) {
    const [source, registry] = [`/v1/sources/s${round}`, `/v1/registries/r${round}`];
    expect((await put(first, source, { managed: {}, claims: {} })).status).toBe(201);
    await waitUntil(async () => (await second.ask(source)).status === 200, 'the source');
    const deleting = round % 3 === 2 ? second : first;
    const [deleted, linked] = await Promise.all([
      deleting.ask(source, { method: 'DELETE' }),
      put(second, registry, { sources: [`s${round}`], claims: {} }),
    ]);
    outcomes.push(`${deleted.status} ${linked.status}`);
    await waitUntil(
      async () => {
        const answers = await Promise.all(
          replicas.all.map((it) => Promise.all([it.ask(source), it.ask(registry)])),
        );
        const wanted = [deleted.status === 204 ? 404 : 200, linked.status === 201 ? 200 : 404];
        return answers.every(([s, r]) => s.status === wanted[0] && r.status === wanted[1]);
      },
      `what was answered in round ${round}: ${outcomes.at(-1)}`,
      3000,
    );
  }
  for (const outcome of outcomes) expect(outcome).toMatch(/^(204 400|409 201|409 400)$/);
  // What is stored makes sense to one that starts.
  const late = await replicas.add();
  expect((await late.ask('/v1/registries')).status).toBe(200);
});
