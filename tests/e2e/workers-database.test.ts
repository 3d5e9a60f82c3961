import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { inlineSource } from '../support/catalogs.ts';
import { startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { askAnew, askOften } from './workers/ask-anew.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres?.close());

it('workers of several machines on one database form one registry', async () => {
  const config = {
    auth: { mode: 'anonymous' },
    database: await postgres.createDatabase(),
    sources: [inlineSource('tools', ['com.acme/one']), { name: 'published', managed: {} }],
    registries: [{ name: 'tools', sources: ['tools', 'published'] }],
  };
  const start = async () => {
    const service = await startService(config, { args: ['--workers', '2'] });
    onTestFinished(() => service.stop());
    return service;
  };
  const [here, there] = [await start(), await start()];
  const publish = (url: string, name: string) =>
    askAnew(`${url}/v1/entries`, 'POST', {
      claims: {},
      server: { name, description: `About ${name}`, version: '1.0.0' },
    });
  const showAll = async (url: string, name: string) =>
    (await askOften(`${url}/registry/tools/v0.1/servers`, 6)).every(({ text }) => text.includes(name));

  for (const [from, to, name] of [
    [here, there, 'com.acme/from-here'],
    [there, here, 'com.acme/from-there'],
  ] as const) {
    expect(await publish(from.url, name)).toMatchObject({ status: 201 });
    expect(await showAll(from.url, name)).toBe(true);
    await waitUntil(() => showAll(to.url, name), `${name} on the other machine`, 3000);
  }
  const fetched = [here, there].filter((service) => service.log().includes('"source synchronised'));
  expect(fetched).toHaveLength(1);
  const statuses = await Promise.all([here, there].map(({ url }) => askOften(`${url}/v1/sources/tools`, 4)));
  for (const { text } of statuses.flat()) expect(JSON.parse(text).status.phase).toBe('complete');
});
