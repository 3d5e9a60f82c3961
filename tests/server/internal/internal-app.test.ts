import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { InternalDeps } from '../../../server/internal/answer-internal.ts';
import { createInternalListener } from '../../../server/internal/internal-app.ts';
import { createLog } from '../../../server/observe/log.ts';
import { createMetrics } from '../../../server/observe/metrics.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function start(deps: Partial<InternalDeps> = {}): Promise<string> {
  const listener = createInternalListener({
    log: createLog({ level: 'silent' }),
    readReadiness: () => ({ ready: true, missing: [], notes: [] }),
    version: '1.2.3',
    exposeMetrics: () => createMetrics(false).expose(),
    ...deps,
  });
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the internal server', () => {
  it('is healthy whatever is not ready', async () => {
    const base = await start({ readReadiness: () => ({ ready: false, missing: ['x'], notes: [] }) });
    const response = await fetch(`${base}/health?probe=1`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'healthy' });
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is ready, with the message of a refused edit in the body', async () => {
    const quiet = await fetch(`${await start()}/readiness`);
    expect([quiet.status, await quiet.json()]).toEqual([200, { status: 'ready' }]);
    const notes = ['registry.config.yaml:3:5: unknown key'];
    const noted = await fetch(
      `${await start({ readReadiness: () => ({ ready: true, missing: [], notes }) })}/readiness`,
    );
    expect([noted.status, await noted.json()]).toEqual([200, { status: 'ready', notes }]);
  });

  it('answers 503 with a whole problem that lists what is missing', async () => {
    const missing = ['source "team" has no bundle yet', 'the store does not answer'];
    const base = await start({ readReadiness: async () => ({ ready: false, missing, notes: [] }) });
    const response = await fetch(`${base}/readiness`, { headers: { 'X-Request-Id': 'probe-1' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const detail = 'Not ready: source "team" has no bundle yet; the store does not answer.';
    expect(await response.json()).toMatchObject({
      title: 'Service Unavailable',
      status: 503,
      code: 'not_ready',
      detail,
      error: detail,
      instance: 'urn:request:probe-1',
      missing,
    });
  });

  it('tells its version', async () => {
    const response = await fetch(`${await start({ commit: 'abc' })}/version`);
    expect(await response.json()).toEqual({
      version: '1.2.3',
      commit: 'abc',
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    });
  });

  it('exposes metrics, or has no such path when they are off', async () => {
    const response = await fetch(`${await start()}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('registry_token_cache_hits_total 0');
    expect((await fetch(`${await start({ exposeMetrics: undefined })}/metrics`)).status).toBe(404);
  });

  it('answers HEAD as GET without the body', async () => {
    const base = await start();
    const [get, head] = [await fetch(`${base}/version`), await fetch(`${base}/version`, { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it.each([
    ['GET', '/', 404, 'path_not_found'],
    ['GET', '/constructor', 404, 'path_not_found'],
    ['GET', '/registry', 404, 'path_not_found'],
    ['POST', '/health', 405, 'method_not_allowed'],
  ])('answers %s %s with a problem %i', async (method, path, status, code) => {
    const response = await fetch(`${await start()}${path}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null);
    const body = await response.json();
    expect(body).toMatchObject({
      status,
      code,
      instance: `urn:request:${response.headers.get('x-request-id')}`,
    });
  });

  it('logs what it did not expect and answers 500 without saying it', async () => {
    const lines: string[] = [];
    const log = createLog({ output: { write: (line) => lines.push(line) } });
    const readReadiness = () => Promise.reject(new Error('/host/path broke'));
    const response = await fetch(`${await start({ log, readReadiness })}/readiness`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('/host/path');
    expect(lines.join('')).toContain('/host/path broke');
  });
});
