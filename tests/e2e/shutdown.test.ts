import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource } from '../support/catalogs.ts';
import { startHeldIntrospection } from '../support/held-introspection.ts';
import { type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVERS = '/registry/tools/v0.1/servers';
const content = {
  sources: [inlineSource('tools', ['com.acme/one'])],
  registries: [{ name: 'tools', sources: ['tools'] }],
};

async function serve(auth: object): Promise<Service> {
  const service = await startService({ ...content, auth });
  onTestFinished(() => service.stop());
  return service;
}

function request(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

async function measureExit(service: Service): Promise<{ code: number | null; ms: number }> {
  const started = performance.now();
  service.signal('SIGTERM');
  const { code } = await service.exited;
  return { code, ms: performance.now() - started };
}

describe('SIGTERM', () => {
  it(`${proves('C-9-18', 'C-9-19', 'C-9-20')} is answered by finishing what is under way, not ready meanwhile, and exit 0`, async () => {
    const held = await startHeldIntrospection();
    onTestFinished(() => held.close());
    const service = await serve({
      oauth: { resourceUrl: 'http://registry.example.test', providers: [held.provider] },
    });
    const answers = [
      service.ask(SERVERS, { token: 'opaque-1' }),
      service.ask('/v1/me', { token: 'opaque-2' }),
    ];
    await waitUntil(() => held.waiting() === 2, 'both requests under way');
    service.signal('SIGTERM');
    await waitUntil(async () => (await service.probe('/readiness')).status === 503, 'not ready');
    expect((await service.probe('/readiness')).json.missing).toContain('the service is stopping');
    await expect(service.ask(SERVERS)).rejects.toThrow();
    held.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it(`${proves('C-12.17-02', 'C-9-20')} does not wait for idle connections, used or never used`, async () => {
    const service = await serve({ mode: 'anonymous' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect(await request(service.url + SERVERS, agent)).toBe(200);
    expect(await request(`${service.url}/registry`, agent)).toBe(200);
    expect(await request(`${service.internalUrl}/health`, agent)).toBe(200);
    const silent = [service.url, service.internalUrl].map((url) =>
      connect(Number(new URL(url).port), '127.0.0.1'),
    );
    await Promise.all(silent.map((socket) => new Promise((done) => socket.once('connect', done))));
    for (const socket of silent) socket.on('error', () => undefined);
    const { code, ms } = await measureExit(service);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000);
  });

  it(`${proves('C-12.17-02')} does not wait for a connection that becomes idle while it ends`, async () => {
    const held = await startHeldIntrospection();
    onTestFinished(() => held.close());
    const service = await serve({
      oauth: { resourceUrl: 'http://registry.example.test', providers: [held.provider] },
    });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const answered = new Promise((resolve, reject) => {
      get(service.url + SERVERS, { agent, headers: { authorization: 'Bearer opaque' } }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
    await waitUntil(() => held.waiting() === 1, 'the request under way');
    const ended = measureExit(service);
    await waitUntil(async () => (await service.probe('/readiness')).status === 503, 'not ready');
    held.release();
    expect(await answered).toBe(200);
    expect((await ended).ms).toBeLessThan(5000);
  });

  it(`${proves('C-9-20')} is the same as Ctrl-C`, async () => {
    const service = await serve({ mode: 'anonymous' });
    service.signal('SIGINT');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});
