import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { type Service, startService } from '../support/start-service.ts';
import { readStormRounds } from '../support/storm-rounds.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { listServers, makeServer, publish, startReplicas } from './start-replicas.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres?.close());

const MANAGED = {
  sources: [{ name: 'published', managed: {} }],
  registries: [{ name: 'all', sources: ['published'] }],
};
const WRITERS = 12;
const ROUNDS = { postgres: readStormRounds(3), sqlite: readStormRounds(5) };
const MOST_ANSWERS = 120;

interface Storm {
  /** `name@version` of each publish that was answered 201. */
  readonly answered: string[];
  /** Statuses that were neither 201. */
  readonly others: number[];
  /** Settles when the service is gone. */
  readonly ended: Promise<unknown>;
}

/** Publishes for as long as the service answers. */
function publishUntilGone(service: Service, prefix: string): Storm {
  const storm = { answered: [] as string[], others: [] as number[] };
  const write = async (writer: number): Promise<void> => {
    for (let number = 0; ; number++) {
      const name = `com.acme/${prefix}-${writer}-${number}`;
      const answer = await publish(service, makeServer(name)).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) storm.answered.push(`${name}@1.0.0`);
      else storm.others.push(answer.status);
    }
  };
  return { ...storm, ended: Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))) };
}

/** At another moment each time. */
async function kill(service: Service, storm: Storm): Promise<void> {
  const after = 1 + Math.floor(Math.random() * MOST_ANSWERS);
  await waitUntil(() => storm.answered.length >= after, `${after} publishes`);
  service.signal('SIGKILL');
  await storm.ended;
  await service.exited;
}

/** Everything answered is there, and what is there is whole. */
async function expectAll(service: Service, answered: readonly string[]): Promise<void> {
  const listed = await listServers(service);
  expect(answered.filter((name) => !listed.includes(name))).toEqual([]);
  const { json } = await service.ask('/v1/sources/published/entries?limit=100');
  for (const { versions } of json.entries) expect(versions).toHaveLength(1);
}

it(
  `${proves('C-10-06', 'C-6-79')} loses nothing that a process answered before it was killed in the middle of publishing, ${ROUNDS.postgres} times over`,
  async () => {
    const replicas = await startReplicas(postgres, MANAGED, { count: 2 });
    const answered: string[] = [];
    for (let round = 1; round <= ROUNDS.postgres; round++) {
      const victim = replicas.all.at(-1) as Service;
      const storm = publishUntilGone(victim, `r${round}`);
      await kill(victim, storm);
      answered.push(...storm.answered);
      expect(storm.others).toEqual([]);
      const [survivor] = replicas.all as [Service];
      // Whoever was killed may have had no time to wake the others, who look twice a second.
      const isThere = async () => {
        const listed = await listServers(survivor);
        return answered.every((name) => listed.includes(name));
      };
      await waitUntil(isThere, 'all of it', 3000);
      await expectAll(survivor, answered);
      await expectAll(await replicas.add(), answered);
    }
  },
  60_000 + ROUNDS.postgres * 6000,
);

it(
  `${proves('C-6-79', 'C-6-78', 'C-2-53')} loses nothing of a SQLite overlay either, ${ROUNDS.sqlite} times over`,
  async () => {
    const dir = makeDirectory();
    const start = () =>
      startService({ ...MANAGED, auth: { mode: 'anonymous' } }, { dir, keepDirectory: true });
    const answered: string[] = [];
    for (let round = 1; round <= ROUNDS.sqlite; round++) {
      const service = await start();
      try {
        await expectAll(service, answered);
        const storm = publishUntilGone(service, `r${round}`);
        await kill(service, storm);
        answered.push(...storm.answered);
        expect(storm.others).toEqual([]);
      } finally {
        await service.stop();
      }
    }
    const service = await start();
    await expectAll(service, answered);
    await service.stop();
  },
  60_000 + ROUNDS.sqlite * 6000,
);

it(`${proves('C-10-07')} refuses a second process on the same data directory`, async () => {
  const dir = makeDirectory();
  const config = { ...MANAGED, auth: { mode: 'anonymous' } };
  const first = await startService(config, { dir, keepDirectory: true });
  try {
    await expect(startService(config, { dir, keepDirectory: true })).rejects.toThrow(
      /Another berth process serves from the data directory[\s\S]*PostgreSQL/,
    );
    const refused = await startService(config, { dir, keepDirectory: true }).catch((error) => error);
    expect(refused.cause.message).toBe('it ended with 1');
    expect(refused.message).not.toMatch(/^\s+at /m);
    expect((await publish(first, makeServer('com.acme/still'))).status).toBe(201);
  } finally {
    await first.stop();
  }
});
