import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import { startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const makeConfig = (more: readonly object[] = []) => ({
  sources: [
    { name: 'published', managed: {} },
    inlineSource('team', ['com.acme/team'], { claims: { org: 'acme' } }),
    ...more,
  ],
  registries: [{ name: 'all', sources: ['published', 'team'] }],
  auth: { mode: 'anonymous' },
});
const makeServer = (name: string) => ({ server: { name, version: '1.0.0', description: 'x' } });
const CLAIMS = '/v1/entries/server/com.acme%2Fkept/claims';

it(`${proves('C-6-72')} keeps the claims of managed entries over a restart, a reload and a sync`, async () => {
  const dir = makeDirectory();
  const start = () => startService(makeConfig(), { dir, keepDirectory: true });
  const first = await start();
  await first.ask('/v1/entries', {
    method: 'POST',
    body: { ...makeServer('com.acme/kept'), claims: { org: 'acme' } },
  });
  const claims = { org: 'acme', team: ['data'] };
  expect((await first.ask(CLAIMS, { method: 'PUT', body: { claims } })).status).toBe(204);
  await first.stop();
  const second = await start();
  onTestFinished(() => second.stop());
  expect((await second.ask(CLAIMS)).json).toEqual({ claims });
  expect((await second.ask('/v1/sources/team/sync', { method: 'POST' })).status).toBe(202);
  second.configure(makeConfig([inlineSource('more', ['com.acme/more'], { claims: { org: 'other' } })]));
  await waitUntil(async () => (await second.ask('/v1/sources/more')).status === 200, 'the reload');
  await waitUntil(
    async () => (await second.ask('/v1/sources/team')).json.status.phase === 'complete',
    'the sync',
  );
  expect((await second.ask(CLAIMS)).json).toEqual({ claims });
});

it(`${proves('C-5-51')} walks every entry once while others are published and deleted`, async () => {
  const service = await startService(makeConfig());
  onTestFinished(() => service.stop());
  const publish = (name: string) => service.ask('/v1/entries', { method: 'POST', body: makeServer(name) });
  const kept = Array.from({ length: 60 }, (_, index) => `com.acme/k${String(index).padStart(2, '0')}`);
  await Promise.all(kept.map(publish));
  const walked: string[] = [];
  let cursor: string | undefined;
  let page = 0;
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await service.ask(`/registry/all/v0.1/servers?limit=7${query}`);
    walked.push(...json.servers.map(({ server }: { server: { name: string } }) => server.name));
    cursor = json.metadata.nextCursor;
    // Before, at and behind where the walk stands.
    const at = walked.at(-1);
    for (const name of [`com.acme/a${page}`, `${at}-next`, `com.acme/z${page}`])
      expect((await publish(name)).status).toBe(201);
    if (page > 0) {
      const path = `/v1/entries/server/${encodeURIComponent(`com.acme/a${page - 1}`)}/versions/1.0.0`;
      expect((await service.ask(path, { method: 'DELETE' })).status).toBe(204);
    }
    page++;
  } while (cursor !== undefined && page < 60);
  expect(new Set(walked).size).toBe(walked.length);
  expect(walked.filter((name) => kept.includes(name))).toEqual(kept);
});

it(`${proves('C-6-26', 'C-6-59')} fetches once more for any number of syncs asked for while one runs, and shows no secret of the source`, async () => {
  const waiting: ServerResponse[] = [];
  let fetches = 0;
  const upstream = createServer((_request, response) => {
    fetches++;
    waiting.push(response);
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    upstream.close();
    upstream.closeAllConnections();
  });
  const { port } = upstream.address() as AddressInfo;
  const answerOne = async () => {
    const response = await waitUntil(() => waiting.shift(), 'a fetch');
    response.setHeader('Content-Type', 'application/json').end(makeCatalog(['com.acme/slow']));
  };
  const url = `http://reader:hidden-password@127.0.0.1:${port}/registry.json`;
  const slow = { name: 'slow', file: { url }, syncPolicy: { interval: '1h' } };
  const service = await startService(makeConfig([slow]), { untilReady: false });
  onTestFinished(() => service.stop());
  await waitUntil(() => waiting.length === 1, 'the first fetch');
  const asked = await Promise.all(
    Array.from({ length: 10 }, () => service.ask('/v1/sources/slow/sync', { method: 'POST' })),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([202]));
  await answerOne();
  await answerOne();
  await waitUntil(
    async () => (await service.ask('/v1/sources/slow')).json.status.phase === 'complete',
    'the second fetch',
  );
  expect(fetches).toBe(2);
  const shown = (await service.ask('/v1/sources/slow')).text + (await service.ask('/v1/sources')).text;
  expect(shown).toContain(`127.0.0.1:${port}`);
  expect(shown).not.toContain('hidden-password');
});
