import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../server/observe/log.ts';
import { resolveOtlpUrl } from '../../../server/observe/otlp-endpoint.ts';
import { readTraceParent } from '../../../server/observe/trace-parent.ts';
import { createTracing } from '../../../server/observe/tracing.ts';
import { type TelemetryConfig, telemetrySchema } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const request = {
  method: 'GET',
  path: '/registry/main/v0.1/servers',
  requestId: 'r-1',
  traceparent: undefined,
};

interface SentSpan {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

let collector: Server;
let spans: SentSpan[];
let paths: string[];
let services: unknown[];
let versions: string[];
let messages: string[];
let log: ReturnType<typeof createLog>;

beforeEach(async () => {
  [spans, paths, messages, services, versions] = [[], [], [], [], []];
  log = createLog({ output: { write: (line) => messages.push(JSON.parse(line).msg) } });
  collector = createServer(async (received, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of received) chunks.push(chunk);
    paths.push(received.url ?? '');
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      services.push(resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value);
      versions.push(
        resource.attributes.find(({ key }: { key: string }) => key === 'service.version').value.stringValue,
      );
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  collector.closeAllConnections();
  await new Promise((done) => collector.close(done));
});

const configure = (tracing?: TelemetryConfig['tracing']) =>
  telemetrySchema.parse({
    endpoint: `127.0.0.1:${(collector.address() as AddressInfo).port}`,
    insecure: true,
    ...(tracing ? { tracing } : {}),
  });

describe('createTracing', () => {
  it(`${proves('C-2-69', 'C-2-70')} sends one span a request, named by method and route template`, async () => {
    const config = { ...configure({ enabled: true, sampling: 1 }), serviceName: 'acme-registry' };
    const tracing = await createTracing(config, log);
    tracing.startRequest(request)?.end('/registry/{registry}/v0.1/servers', 200);
    tracing.startRequest({ ...request, method: 'PUT' })?.end('/v1/sources/{name}', 503);
    await tracing.close();
    expect(paths).toEqual(['/v1/traces']);
    expect(services).toEqual([{ stringValue: 'acme-registry' }]);
    expect(spans.map(({ name, kind, status }) => [name, kind, status.code])).toEqual([
      ['GET /registry/{registry}/v0.1/servers', 2, 0],
      ['PUT /v1/sources/{name}', 2, 2],
    ]);
    const attributes = Object.fromEntries((spans[0]?.attributes ?? []).map(({ key, value }) => [key, value]));
    expect(attributes).toEqual({
      'http.request.method': { stringValue: 'GET' },
      'url.path': { stringValue: request.path },
      'berth.request_id': { stringValue: 'r-1' },
      'http.route': { stringValue: '/registry/{registry}/v0.1/servers' },
      'http.response.status_code': { intValue: 200 },
    });
  });

  it('follows the decision of the caller, whatever the sampling', async () => {
    const sampled = await createTracing(configure({ enabled: true, sampling: 0 }), log);
    sampled.startRequest({ ...request, traceparent: `00-${TRACE}-${PARENT}-01` })?.end('/x', 200);
    expect(sampled.startRequest(request)).toBeUndefined();
    await sampled.close();
    expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT }]);
    const unsampled = await createTracing(configure({ enabled: true, sampling: 1 }), log);
    expect(unsampled.startRequest({ ...request, traceparent: `00-${TRACE}-${PARENT}-00` })).toBeUndefined();
    await unsampled.close();
  });

  it(`${proves('C-2-70')} samples about the configured share`, async () => {
    const tracing = await createTracing(configure({ enabled: true, sampling: 0.2 }), log);
    const traced = Array.from({ length: 2000 }, () => tracing.startRequest(request)).filter(Boolean).length;
    expect(traced).toBeGreaterThan(250);
    expect(traced).toBeLessThan(550);
    await tracing.close();
  });

  it(`${proves('C-2-69', 'C-2-70')} does nothing without an endpoint or when it is off`, async () => {
    const configs = [
      undefined,
      telemetrySchema.parse({}),
      { ...configure(), enabled: false },
      configure({ enabled: false, sampling: 1 }),
    ];
    for (const config of configs) {
      const tracing = await createTracing(config, log);
      expect(tracing.startRequest({ ...request, traceparent: `00-${TRACE}-${PARENT}-01` })).toBeUndefined();
      await tracing.close();
    }
    expect(spans).toEqual([]);
  });

  it('tells the version the configuration gives the service', async () => {
    for (const more of [{ serviceVersion: '7.1' }, {}]) {
      const tracing = await createTracing({ ...configure({ enabled: true, sampling: 1 }), ...more }, log);
      tracing.startRequest(request)?.end('/x', 200);
      await tracing.close();
    }
    expect(versions).toEqual(['7.1', '0.0.0']);
  });

  it('ends within 3 s although the collector never answers', async () => {
    collector.removeAllListeners('request');
    const held = vi.fn();
    collector.on('request', held);
    const tracing = await createTracing(configure({ enabled: true, sampling: 1 }), log);
    tracing.startRequest(request)?.end('/x', 200);
    const started = performance.now();
    await tracing.close();
    expect(performance.now() - started).toBeLessThan(3500);
    expect(held).toHaveBeenCalled();
  });
});

describe('resolveOtlpUrl', () => {
  it.each([
    ['collector:4318', false, 'https://collector:4318/v1/traces'],
    ['collector:4318', true, 'http://collector:4318/v1/traces'],
    ['http://collector:4318', false, 'http://collector:4318/v1/traces'],
    ['https://collector/otlp/', true, 'https://collector/otlp/v1/traces'],
    ['https://collector/v1/traces', false, 'https://collector/v1/traces'],
  ])(`${proves('C-2-69')} %s, insecure %s: %s`, (endpoint, insecure, url) => {
    expect(resolveOtlpUrl(endpoint, insecure, '/v1/traces')).toBe(url);
  });

  it.each(['grpc://collector:4317', 'not a host', ':4318'])('refuses %j', (endpoint) => {
    expect(() => resolveOtlpUrl(endpoint, false, '/v1/traces')).toThrow(
      expect.objectContaining({ code: 'telemetry_endpoint_invalid' }),
    );
  });
});

describe('readTraceParent', () => {
  it('reads a parent, and later versions that say more', () => {
    const parent = { traceId: TRACE, spanId: PARENT, traceFlags: 1, isRemote: true };
    expect(readTraceParent(`00-${TRACE}-${PARENT}-01`, undefined)).toEqual(parent);
    expect(readTraceParent(`01-${TRACE}-${PARENT}-03-more`, undefined)).toEqual(parent);
    expect(readTraceParent(`00-${TRACE}-${PARENT}-01`, 'a=1,b=2')?.traceState?.serialize()).toBe('a=1,b=2');
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}`,
  ])('starts anew for %j', (header) => expect(readTraceParent(header, undefined)).toBeUndefined());
});
