import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeSmallDisk } from './fill-disk.ts';
import { listServers, makeServer, publish } from './start-replicas.ts';

it(`${proves('C-12.16-01', 'C-12.16-02', 'C-12.16-03', 'C-12.16-04')} reads on while the disk is full, refuses writes, and recovers with room`, async () => {
  const dir = makeDirectory();
  mkdirSync(join(dir, 'data'));
  const disk = makeSmallDisk(join(dir, 'data'));
  const config = {
    sources: [{ name: 'published', managed: {} }],
    registries: [{ name: 'all', sources: ['published'] }],
    dataDir: './data',
    auth: { mode: 'anonymous' },
  };
  const service = await startService(config, { dir, keepDirectory: true });
  onTestFinished(() => service.stop());
  const answered: string[] = [];
  const write = async (name: string) => {
    const server = {
      name,
      version: '1.0.0',
      description: 'x'.repeat(90),
      _meta: { 'com.acme/filling': 'y'.repeat(60_000) },
    };
    const answer = await publish(service, { server });
    if (answer.status === 201) answered.push(`${name}@1.0.0`);
    return answer;
  };
  expect((await write('com.acme/a-before')).status).toBe(201);

  disk.fill(service.pid);
  const refused = await waitUntil(async () => {
    // What the log of the overlay has room for is taken still.
    const answer = await write(`com.acme/b-during-${answered.length}`);
    return answer.status === 201 ? undefined : answer;
  }, 'a refusal');
  expect([refused.status, refused.json.code]).toEqual([503, 'store_unavailable']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await waitUntil(async () => (await service.probe('/readiness')).status === 503, 'readiness 503', 12_000);
  expect((await service.probe('/readiness')).text).not.toContain(dir);
  expect(await listServers(service)).toEqual(answered.toSorted());
  expect((await publish(service, makeServer('com.acme/c'))).status).toBe(503);

  disk.free(service.pid);
  await waitUntil(async () => (await service.probe('/readiness')).status === 200, 'readiness 200', 20_000);
  expect((await write('com.acme/d-after')).status).toBe(201);
  expect(await listServers(service)).toEqual(answered.toSorted());
  service.signal('SIGKILL');
  await service.exited;
  const again = await startService(config, { dir, keepDirectory: true });
  onTestFinished(() => again.stop());
  expect(await listServers(again)).toEqual(answered.toSorted());
});
