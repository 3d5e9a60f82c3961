import { expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { waitUntil } from '../support/wait-until.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

async function serve(telemetry: (endpoint: string) => object): Promise<[Service, TraceCollector]> {
  const collector = await startTraceCollector();
  onTestFinished(() => collector.close());
  const service = await startService({
    sources: [inlineSource('tools', ['com.acme/one'])],
    registries: [{ name: 'tools', sources: ['tools'] }],
    auth: { mode: 'anonymous' },
    telemetry: telemetry(collector.endpoint),
  });
  onTestFinished(() => service.stop());
  return [service, collector];
}

it(`${proves('C-2-69', 'C-2-70')} sends a span for every sampled request to the endpoint, in the trace of the caller`, async () => {
  const [service, { spans }] = await serve((endpoint) => ({
    endpoint,
    insecure: true,
    serviceName: 'registry-of-acme',
    tracing: { sampling: 1 },
  }));
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await service.ask('/registry/tools/v0.1/servers/com.acme%2Fone/versions/latest', { headers });
  await service.ask('/v1/sources/none');
  await waitUntil(() => spans.length >= 2, 'both spans');
  expect(spans.find(({ traceId }) => traceId === TRACE)).toMatchObject({
    service: 'registry-of-acme',
    parentSpanId: PARENT,
    name: 'GET /registry/{registry}/v0.1/servers/{name}/versions/{version}',
    attributes: { 'http.response.status_code': 200 },
  });
  expect(spans.find(({ traceId }) => traceId !== TRACE)).toMatchObject({ name: 'GET /v1/sources/{source}' });
});

it(`${proves('C-2-69', 'C-2-70')} sends what is waiting before it ends, and only what is sampled`, async () => {
  const [service, { spans }] = await serve((endpoint) => ({
    endpoint,
    insecure: true,
    tracing: { sampling: 0 },
  }));
  await service.ask('/registry/tools/v0.1/servers');
  const sampled = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await service.ask('/registry', { headers: sampled });
  service.signal('SIGTERM');
  expect((await service.exited).code).toBe(0);
  expect(spans.map(({ traceId, name }) => [traceId, name])).toEqual([[TRACE, 'GET /registry']]);
});

it(`${proves('C-2-69', 'C-2-70')} sends nothing when telemetry or tracing is switched off`, async () => {
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  for (const off of [{ enabled: false }, { tracing: { enabled: false } }]) {
    const [service, { spans }] = await serve((endpoint) => ({ endpoint, insecure: true, ...off }));
    await service.ask('/registry/tools/v0.1/servers', { headers });
    service.signal('SIGTERM');
    await service.exited;
    expect(spans).toEqual([]);
  }
});
