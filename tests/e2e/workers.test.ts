import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import { startHeldIntrospection } from '../support/held-introspection.ts';
import { runBerth } from '../support/run-command.ts';
import {
  readJsonLines,
  replaceFile,
  type Service,
  type StartOptions,
  startService,
} from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { askAnew, askOften } from './workers/ask-anew.ts';

const SERVERS = '/registry/tools/v0.1/servers';
const ONE_SERVER = { name: 'com.acme/one', description: 'About one', version: '1.0.0' };
const CONTENT = {
  auth: { mode: 'anonymous' },
  sources: [inlineSource('tools', ['com.acme/one']), { name: 'published', managed: {} }],
  registries: [{ name: 'tools', sources: ['tools', 'published'] }],
};

async function serve(config: object = CONTENT, options: StartOptions = {}): Promise<Service> {
  const service = await startService(config, { ...options, args: ['--workers', '2'] });
  onTestFinished(() => service.stop());
  return service;
}

/** The lines of the log that tell of workers that take requests. */
function listWorkers(service: Service): { worker: number; worker_pid: number }[] {
  return service
    .log()
    .split('\n')
    .filter((line) => line.includes('"worker process takes requests"'))
    .map((line) => JSON.parse(line));
}

async function readMetric(service: Service, name: string): Promise<Map<string, number>> {
  const { text } = await service.probe('/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

const countRequests = async (service: Service) => [
  ...(await readMetric(service, 'registry_worker_requests_total')).values(),
];

describe('several worker processes', () => {
  it('share the requests, are counted together and end with exit 0', async () => {
    const service = await serve();
    const answers = await askOften(service.url + SERVERS, 40);
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    const perWorker = await countRequests(service);
    expect(perWorker).toHaveLength(2);
    expect(Math.min(...perWorker)).toBeGreaterThan(0);
    expect(sum(perWorker)).toBe(40);
    const counted = await readMetric(service, 'http_server_request_duration_seconds_count');
    expect(sum(counted.values())).toBe(40);
    expect([...(await readMetric(service, 'registry_entries')).entries()]).toContainEqual([
      'registry_entries{source="tools",type="server"}',
      1,
    ]);
    expect([...(await readMetric(service, 'registry_workers')).values()]).toEqual([2]);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(service.log()).not.toContain('"level":"error"');
  });

  it('show what one of them published to every next request', async () => {
    const service = await serve();
    const shown: boolean[] = [];
    for (let round = 0; round < 15; round++) {
      const name = `com.acme/published-${round}`;
      const server = { ...ONE_SERVER, name };
      const published = await askAnew(`${service.url}/v1/entries`, 'POST', { claims: {}, server });
      expect(published).toMatchObject({ status: 201 });
      const lists = await askOften(`${service.url + SERVERS}?search=${encodeURIComponent(name)}`, 8);
      shown.push(...lists.map(({ text }) => text.includes(`"${name}"`)));
    }
    expect(shown).toEqual(Array(120).fill(true));
    expect(Math.min(...(await countRequests(service)))).toBeGreaterThan(0);
  });

  it('let one of many concurrent publishes of a version win', async () => {
    const service = await serve();
    const body = { claims: {}, server: { ...ONE_SERVER, name: 'com.acme/raced' } };
    const statuses = await Promise.all(
      Array.from(
        { length: 12 },
        async () => (await askAnew(`${service.url}/v1/entries`, 'POST', body)).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, ...Array(11).fill(409)]);
  });

  it('show sources and registries made through the API, and how synchronising them went', async () => {
    const service = await serve({ ...CONTENT, sourcesPolicy: { allowedPaths: [] } });
    const made = await askAnew(`${service.url}/v1/sources/more`, 'PUT', {
      file: { data: JSON.parse(makeCatalog(['com.acme/two'])) },
      syncPolicy: { interval: '1h' },
    });
    expect(made).toMatchObject({ status: 201 });
    for (const { status } of await askOften(`${service.url}/v1/sources/more`, 8)) expect(status).toBe(200);
    const registry = await askAnew(`${service.url}/v1/registries/more`, 'PUT', { sources: ['more'] });
    expect(registry).toMatchObject({ status: 201 });
    await waitUntil(async () => {
      const lists = await askOften(`${service.url}/registry/more/v0.1/servers`, 6);
      return lists.every(({ text }) => text.includes('com.acme/two'));
    }, 'the new source on all workers');
    await waitUntil(async () => {
      const reports = await askOften(`${service.url}/v1/sources/more`, 6);
      return reports.every(({ text }) => JSON.parse(text).status.phase === 'complete');
    }, 'its status on all workers');
  });

  it('show a failed synchronisation on each', async () => {
    const service = await serve({
      ...CONTENT,
      sources: [
        ...CONTENT.sources,
        { name: 'broken', file: { path: './missing.json' }, syncPolicy: { interval: '1h' } },
      ],
    });
    const reports = await askOften(`${service.url}/v1/sources/broken`, 6);
    expect(reports.map(({ text }) => JSON.parse(text).status.phase)).toEqual(Array(6).fill('failed'));
  });

  it('serve an edited source, and an earlier bundle of it after going back', async () => {
    const config = {
      ...CONTENT,
      sources: [{ name: 'tools', file: { path: './tools.json' }, syncPolicy: { interval: '1h' } }],
      registries: [{ name: 'tools', sources: ['tools'] }],
    };
    const write = (dir: string, name: string) => replaceFile(join(dir, 'tools.json'), makeCatalog([name]));
    const service = await serve(config, { prepare: (dir) => write(dir, 'com.acme/before') });
    write(service.dir, 'com.acme/after');
    await waitUntil(async () => {
      const lists = await askOften(service.url + SERVERS, 6);
      return lists.every(({ text }) => text.includes('com.acme/after'));
    }, 'the edited source on all workers');
    const { text } = await askAnew(`${service.url}/v1/sources/tools/bundles`);
    const [, earlier] = JSON.parse(text).bundles;
    const back = await askAnew(`${service.url}/v1/sources/tools/rollback`, 'POST', { hash: earlier.hash });
    expect(back).toMatchObject({ status: 200 });
    const lists = await askOften(service.url + SERVERS, 8);
    expect(lists.map(({ text }) => text.includes('com.acme/before'))).toEqual(Array(8).fill(true));
  });

  it('are replaced when they die, also while the configuration holds a refused edit, and nothing is counted twice or lost', async () => {
    const service = await serve();
    await askOften(service.url + SERVERS, 20);
    const before = sum(await countRequests(service));
    service.configure({ ...CONTENT, registries: [{ name: 'tools', sources: ['nowhere'] }] });
    await waitUntil(() => service.log().includes('is refused'), 'the refused edit');
    const victim = listWorkers(service)[0];
    process.kill(victim?.worker_pid ?? 0, 'SIGKILL');
    await waitUntil(() => listWorkers(service).length === 3, 'the replacement', 20_000);
    const replacement = listWorkers(service)[2];
    expect(replacement?.worker).toBe(victim?.worker);
    expect(replacement?.worker_pid).not.toBe(victim?.worker_pid);
    expect(service.log()).toContain('worker process ended; another one is started');
    const answers = await askOften(service.url + SERVERS, 40);
    expect(answers.every(({ status, text }) => status === 200 && text.includes('com.acme/one'))).toBe(true);
    const published = { claims: {}, server: { ...ONE_SERVER, name: 'com.acme/later' } };
    expect(await askAnew(`${service.url}/v1/entries`, 'POST', published)).toMatchObject({ status: 201 });
    for (const { text } of await askOften(service.url + SERVERS, 8)) expect(text).toContain('com.acme/later');
    expect(sum(await countRequests(service))).toBe(before + 49);
    expect((await service.probe('/readiness')).status).toBe(200);
  }, 60_000);

  it('take an edited configuration over', async () => {
    const service = await serve();
    service.configure({
      ...CONTENT,
      registries: [...CONTENT.registries, { name: 'second', sources: ['tools'] }],
    });
    await waitUntil(async () => {
      const answers = await askOften(`${service.url}/registry/second/v0.1/servers`, 6);
      return answers.every(({ status }) => status === 200);
    }, 'the new registry on all workers');
  });

  it('have one limit per caller', async () => {
    const service = await serve({ ...CONTENT, limits: { rateLimit: { perMinute: 10 } } });
    const answers = await askOften(service.url + SERVERS, 30);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('write whole lines into one audit file, and into a new one after SIGHUP', async () => {
    const service = await serve({ ...CONTENT, audit: { enabled: true, logFile: './audit.log' } });
    const [file, rotated] = ['audit.log', 'audit.log.1'].map((name) => join(service.dir, name)) as [
      string,
      string,
    ];
    const post = (index: number) => ({
      claims: {},
      server: { ...ONE_SERVER, name: `com.acme/a-${index}` },
    });
    const publish = (from: number) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) => askAnew(`${service.url}/v1/entries`, 'POST', post(from + i))),
      );
    const countPublished = (path: string) =>
      readJsonLines(path).filter(({ type }) => type === 'entry.publish').length;
    await publish(0);
    await waitUntil(() => countPublished(file) === 20, 'audit lines of both workers');
    renameSync(file, rotated);
    service.signal('SIGHUP');
    await waitUntil(async () => {
      await askAnew(`${service.url}/v1/me`);
      return readJsonLines(file).length > 0;
    }, 'the new file');
    await publish(20);
    await waitUntil(() => countPublished(file) + countPublished(rotated) === 40, 'all audit lines');
  });

  it('finish what is under way on SIGTERM', async () => {
    const held = await startHeldIntrospection();
    onTestFinished(() => held.close());
    const service = await serve({
      ...CONTENT,
      auth: { oauth: { resourceUrl: 'http://registry.example.test', providers: [held.provider] } },
    });
    const answers = [1, 2, 3, 4].map((caller) => service.ask(SERVERS, { token: `opaque-${caller}` }));
    await waitUntil(() => held.waiting() === 4, 'all requests under way');
    service.signal('SIGTERM');
    await waitUntil(async () => (await service.probe('/readiness')).status === 503, 'not ready');
    held.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('say once what a single process says when they cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const dir = makeDirectory();
    writeFileSync(join(dir, 'registry.config.yaml'), JSON.stringify(CONTENT));
    const listenOn = ['--address', `127.0.0.1:${port}`, '--internal-address', '127.0.0.1:0'];
    const start = (workers: string) => runBerth(['serve', '--workers', workers, ...listenOn], { cwd: dir });
    const [single, several] = [await start('1'), await start('2')];
    expect(single.code).toBe(1);
    expect(several.code).toBe(1);
    const complaints = (text: string) => text.split('\n').filter((line) => line.startsWith('--address'));
    expect(complaints(several.stderr)).toEqual(complaints(single.stderr));
    expect(complaints(several.stderr)).toHaveLength(1);
  });
});

describe('the number of workers', () => {
  it.each(['0', 'x', '-1', '1.5', '1000', ''])('refuses %j with exit 2', async (workers) => {
    const { code, stderr } = await runBerth(['serve', `--workers=${workers}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('--workers');
  });
});
