import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const anonymous = { auth: { mode: 'anonymous' } };

describe('the internal server', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      sources: [inlineSource('tools', ['com.acme/one', 'com.acme/two'])],
      registries: [{ name: 'tools', sources: ['tools'] }],
      ...anonymous,
    });
  });
  afterAll(() => service?.stop());

  it(`${proves('S-4-30', 'S-4-32', 'C-9-12', 'C-9-16')} answers health, readiness and version at its own address`, async () => {
    expect((await service.probe('/health')).status).toBe(200);
    expect((await service.probe('/readiness')).json).toEqual({ status: 'ready' });
    expect((await service.probe('/version')).json.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it(`${proves('S-4-33')} is the only one to answer them`, async () => {
    for (const path of ['/health', '/readiness', '/version', '/metrics']) {
      expect((await service.ask(path)).status, path).toBe(404);
    }
    expect((await service.probe('/registry/tools/v0.1/servers')).status).toBe(404);
  });

  it(`${proves('C-9-17', 'C-12.1-04', 'C-11-14', 'C-11-15', 'C-11-16', 'C-11-17', 'C-11-20')} exposes its metrics without a telemetry block`, async () => {
    await service.ask('/registry/tools/v0.1/servers/com.acme%2Fone/versions/latest');
    await service.ask('/registry/tools/v0.1/servers/com.acme%2Fthree/versions');
    await service.ask('/v1/sources/tools');
    const { headers, text } = await service.probe('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const count = 'http_server_request_duration_seconds_count';
    const route = '/registry/{registry}/v0.1/servers/{name}/versions';
    expect(text).toContain(`${count}{method="GET",route="${route}/{version}",status="200"} 1`);
    expect(text).toContain(`${count}{method="GET",route="${route}",status="404"} 1`);
    expect(text).toContain(`${count}{method="GET",route="/v1/sources/{source}",status="200"} 1`);
    expect(text).toContain('registry_entries{source="tools",type="server"} 2');
    expect(text).toContain('registry_entries{source="tools",type="skill"} 0');
    expect(text).toContain('registry_sync_duration_seconds_count{source="tools",outcome="completed"} 1');
    expect(text).toMatch(/^registry_bundle_swap_seconds_count [1-9]/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    for (const line of text.split('\n').filter(Boolean)) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*(\{\w+\}[^}]*)*\})? \S+)$/);
    }
  });
});

it(`${proves('C-11-18', 'C-11-19')} counts refused and remembered tokens`, async () => {
  const idp = await startIdp();
  onTestFinished(() => idp.close());
  const service = await startService({
    sources: [inlineSource('tools', ['com.acme/one'])],
    registries: [{ name: 'tools', sources: ['tools'] }],
    auth: { oauth: { resourceUrl: 'http://registry.example.test', providers: [idp.provider()] } },
  });
  onTestFinished(() => service.stop());
  const token = idp.mint();
  for (let i = 0; i < 3; i++)
    expect((await service.ask('/registry/tools/v0.1/servers', { token })).status).toBe(200);
  await service.ask('/registry/tools/v0.1/servers');
  await service.ask('/v1/me');
  await service.ask('/v1/me', { token: idp.mint({ aud: 'another' }) });
  const { text } = await service.probe('/metrics');
  expect(text).toContain('registry_auth_failures_total{reason="missing"} 2');
  expect(text).toContain('registry_auth_failures_total{reason="audience"} 1');
  expect(text).toContain('registry_token_cache_hits_total 2');
});

it(`${proves('C-2-71')} telemetry.metrics.enabled: false takes /metrics away`, async () => {
  const service = await startService({
    sources: [inlineSource('tools', ['com.acme/one'])],
    registries: [{ name: 'tools', sources: ['tools'] }],
    telemetry: { metrics: { enabled: false } },
    ...anonymous,
  });
  onTestFinished(() => service.stop());
  expect((await service.probe('/metrics')).status).toBe(404);
});

it(`${proves('C-9-13', 'C-9-15', 'C-12.9-07', 'C-1-01')} is ready only when every source was tried once, and names until then what is missing`, async () => {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  const slow = createServer(async (_request, response) => {
    await released;
    response.end(makeCatalog(['com.acme/slow']));
  });
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  onTestFinished(() => void slow.close());
  const { port } = slow.address() as AddressInfo;
  const interval = { syncPolicy: { interval: '1h' } };
  const service = await startService(
    {
      sources: [
        inlineSource('quick', ['com.acme/quick']),
        { name: 'slow', file: { url: `http://127.0.0.1:${port}/catalog.json` }, ...interval },
        { name: 'broken', file: { path: 'not-there.json' }, ...interval },
      ],
      registries: [{ name: 'tools', sources: ['quick', 'slow', 'broken'] }],
      ...anonymous,
    },
    { untilReady: false },
  );
  onTestFinished(() => service.stop());
  const missing = ['source slow has not been synchronised yet'];
  await waitUntil(async () => {
    const { status, json } = await service.probe('/readiness');
    return status === 503 && json.missing.length === 1;
  }, 'only the slow source missing');
  const waiting = await service.probe('/readiness');
  expect(waiting.json).toMatchObject({ status: 503, code: 'not_ready', missing });
  expect(waiting.json.detail).toContain('source slow');
  expect(waiting.headers.get('content-type')).toContain('application/problem+json');
  expect((await service.probe('/health')).status).toBe(200);
  const names = async () => (await service.ask('/registry/tools/v0.1/servers')).text;
  expect(await names()).toContain('com.acme/quick');
  release();
  await waitUntil(async () => (await service.probe('/readiness')).status === 200, 'readiness');
  expect(await names()).toContain('com.acme/slow');
});
