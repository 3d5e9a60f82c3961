import { describe, expect, it } from 'vitest';
import type { PlanInput } from '../../../cli/run/plan.ts';
import { referToSecrets } from '../../../cli/run/store-given-secrets.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { list, openKeys, startGoverned, tokenOf, trusting } from '../policy/start-governed-proxy.ts';
import { speakMcp } from '../proxy/mcp-server.ts';
import { call, makePlan } from '../proxy/start-test-proxy.ts';
import { parseFlags } from '../run/parse-words.ts';
import { type Collector, startCollector } from './start-collector.ts';

type Telemetry = NonNullable<PlanInput['telemetry']>;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

async function traced(more: Telemetry = {}, options: Parameters<typeof startGoverned>[0] = {}) {
  const collector = await startCollector();
  const telemetry = { endpoint: collector.url, insecure: true, samplingRate: 1, ...more };
  const governed = await startGoverned({ ...options, plan: { ...options.plan, telemetry } });
  return { ...governed, collector };
}

const pathsOf = ({ requests }: Collector) => [...new Set(requests.map(({ path }) => path))].sort();
const metricsOf = ({ points }: Collector) => [...new Set(points.map(({ metric }) => metric))].sort();

describe('what is sent', () => {
  it(`${proves('R-4.2-01', 'R-4.2-02', 'R-4.2-04', 'R-4.2-05', 'K-5-53', 'K-8.8-02', 'K-8.4-03')} goes to the endpoint as OTLP, at the latest when the workload stops`, async () => {
    const { proxy, collector, stop } = await traced({ attributes: { team: 'red', env: 'test' } });
    await proxy.send({ body: call(1, 'echo') });
    expect(collector.requests).toHaveLength(0);
    await stop();
    expect(pathsOf(collector)).toEqual(['/v1/metrics', '/v1/traces']);
    expect(collector.requests[0]?.headers['content-type']).toBe('application/json');
    const resource = { 'service.name': 'berth-tested', team: 'red', env: 'test' };
    expect(collector.spans[0]?.resource).toMatchObject(resource);
    expect(collector.points[0]?.resource).toMatchObject(resource);
  });

  it(`${proves('R-4.2-01', 'R-4.2-02', 'R-4.2-04')} takes host:port, an https URL made plain, and another service name`, async () => {
    const collector = await startCollector();
    const host = new URL(collector.url).host;
    for (const endpoint of [host, `https://${host}`, `${collector.url}/base/`]) {
      const telemetry = { endpoint, insecure: true, samplingRate: 1, serviceName: 'mine' };
      const { proxy, stop } = await startGoverned({ plan: { telemetry } });
      await proxy.send({ body: call(1, 'echo') });
      await stop();
    }
    expect(pathsOf(collector)).toEqual(['/base/v1/metrics', '/base/v1/traces', '/v1/metrics', '/v1/traces']);
    expect(collector.spans.map(({ resource }) => resource['service.name'])).toEqual(['mine', 'mine', 'mine']);
  });

  it(`${proves('R-4.2-02', 'K-8.4-03')} is not sent over plain http without the flag`, async () => {
    const telemetry = { endpoint: 'http://127.0.0.1:1' };
    await expect(startGoverned({ plan: { telemetry } })).rejects.toMatchObject({
      code: 'telemetry_insecure',
    });
  });

  it(`${proves('R-4.2-03')} carries headers whose values are in the secrets store`, async () => {
    const flags = await parseFlags(
      [
        '--otel-endpoint',
        'http://h',
        '--otel-headers',
        'x-api-key=hush-1,x-team=red',
        '--otel-headers',
        'Authorization=Api hush-2',
      ],
      '/',
    );
    expect(JSON.stringify(flags.telemetry)).not.toContain('hush');
    const { plan, values } = referToSecrets(makePlan({ telemetry: flags.telemetry }), flags.given);
    expect(JSON.stringify(plan)).not.toContain('hush');
    expect(plan.telemetry?.headers['x-api-key']).toBe('berth.tested.otel-header.x-api-key');
    const { proxy, collector, stop } = await traced(
      { headers: plan.telemetry?.headers ?? {} },
      { secrets: Object.fromEntries(values) },
    );
    await proxy.send({ body: call(1, 'echo') });
    await stop();
    for (const { headers } of collector.requests) {
      expect(headers).toMatchObject({ 'x-api-key': 'hush-1', 'x-team': 'red', authorization: 'Api hush-2' });
    }
    expect(collector.requests.length).toBeGreaterThan(1);
    const missing = { endpoint: collector.url, insecure: true, headers: { a: 'gone' } };
    await expect(startGoverned({ plan: { telemetry: missing } })).rejects.toThrow('gone');
  });

  it(`${proves('R-4.2-08', 'R-4.2-09')} is traces, metrics, both or nothing`, async () => {
    const sentWith = async (more: Telemetry) => {
      const { proxy, collector, stop } = await traced(more);
      await proxy.send({ body: call(1, 'echo') });
      await stop();
      return pathsOf(collector);
    };
    expect(await sentWith({})).toEqual(['/v1/metrics', '/v1/traces']);
    expect(await sentWith({ tracing: false })).toEqual(['/v1/metrics']);
    expect(await sentWith({ metrics: false })).toEqual(['/v1/traces']);
    expect(await sentWith({ metrics: false, tracing: false })).toEqual([]);
  });

  it(`${proves('K-8.8-01')} comes as often as the variables of OpenTelemetry say`, async () => {
    const env = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_METRIC_EXPORT_INTERVAL: '30' };
    const { proxy, collector } = await traced({}, { env });
    await proxy.send({ body: call(1, 'echo') });
    await waitUntil(() => collector.spans.length === 1 && collector.points.length > 0, 'an export');
    const before = collector.requests.length;
    await waitUntil(() => collector.requests.length > before + 1, 'another export');
  });

  it('holds no request up while the collector is away or refuses', async () => {
    const stops: (() => Promise<void>)[] = [];
    for (const endpoint of ['http://127.0.0.1:1', (await startCollector(503)).url]) {
      const telemetry = { endpoint, insecure: true, samplingRate: 1 };
      const env = { OTEL_BSP_SCHEDULE_DELAY: '5' };
      const { proxy, stop } = await startGoverned({ plan: { telemetry }, env });
      for (let id = 0; id < 5; id++) expect((await proxy.send({ body: call(id, 'echo') })).status).toBe(200);
      stops.push(stop);
    }
    const began = performance.now();
    await Promise.all(stops.map((stop) => stop()));
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('a span', () => {
  it(`${proves('K-5-55', 'R-4.2-11')} has the names of MCP and GenAI, the older ones beside them`, async () => {
    const { proxy, collector, stop } = await traced();
    const session = await proxy.initialize();
    const headers = { 'mcp-protocol-version': '2025-11-25', 'user-agent': 'tests/1' };
    await proxy.send({ session, headers, body: call('seven', 'echo', { text: 'x', password: 'hush' }) });
    await stop();
    const span = collector.spans.find(({ name }) => name === 'tools/call echo');
    expect(span?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'mcp.session.id': session,
      'mcp.protocol.version': '2025-11-25',
      'mcp.server.name': 'tested',
      'rpc.system.name': 'jsonrpc',
      'jsonrpc.request.id': 'seven',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'gen_ai.tool.call.arguments': '{"text":"x","password":"[redacted]"}',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.path': '/mcp',
      'network.transport': 'tcp',
      'user_agent.original': 'tests/1',
      'mcp.method': 'tools/call',
      'mcp.tool.name': 'echo',
      'http.method': 'POST',
      'http.status_code': 200,
      'rpc.system': 'jsonrpc',
      'mcp.transport': 'streamable-http',
    });
    expect(span?.kind).toBe(2);
    expect(collector.spans.map(({ name }) => name)).toContain('initialize');
  });

  it(`${proves('R-4.2-11', 'K-5-55')} and the metrics have the new names alone when told so`, async () => {
    const { proxy, collector, stop } = await traced({ legacyAttributes: false });
    await proxy.send({ body: call(1, 'echo') });
    await stop();
    const old = [
      'mcp.method',
      'mcp.tool.name',
      'http.method',
      'http.status_code',
      'rpc.system',
      'mcp.transport',
    ];
    for (const name of old) expect(collector.spans[0]?.attributes).not.toHaveProperty([name]);
    expect(collector.spans[0]?.attributes['mcp.method.name']).toBe('tools/call');
    for (const { attributes } of collector.points) {
      expect(attributes).not.toHaveProperty('server');
      expect(attributes).not.toHaveProperty('status_code');
    }
  });

  it(`${proves('R-4.2-06')} holds the variables that are named, but no secret`, async () => {
    const { proxy, collector, stop } = await traced(
      { envVars: ['REGION', 'ZONE', 'API_KEY', 'ABSENT'] },
      { env: { ZONE: 'z1', API_KEY: 'hush' }, plan: { env: { REGION: 'eu' }, secrets: { API_KEY: 'k' } } },
    );
    await proxy.send({ body: call(1, 'echo') });
    await stop();
    const { attributes } = collector.spans[0] ?? {};
    expect(attributes).toMatchObject({ 'environment.REGION': 'eu', 'environment.ZONE': 'z1' });
    expect(JSON.stringify(attributes)).not.toContain('hush');
    expect(attributes).not.toHaveProperty(['environment.ABSENT']);
  });

  it('tells what became of the exchange', async () => {
    const speak = speakMcp();
    const { proxy, collector, stop } = await traced(
      {},
      {
        plan: { tools: { allow: ['echo', 'down', 'wrong'] } },
        answer: (request, response, body) => {
          if (body.includes('"down"')) return void response.writeHead(503).end();
          if (!body.includes('"wrong"')) return speak(request, response, body);
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x"}}');
        },
      },
    );
    for (const name of ['echo', 'down', 'wrong', 'hidden']) await proxy.send({ body: call(1, name) });
    await proxy.send({ body: 'no json' });
    await stop();
    expect(
      collector.spans.map(({ name, attributes, status }) => [name, attributes['error.type'], status]),
    ).toEqual([
      ['tools/call echo', undefined, 0],
      ['tools/call down', '503', 2],
      ['tools/call wrong', 'jsonrpc_error', 2],
      ['tools/call hidden', 'tool_not_found', 2],
      ['POST /mcp', 'not_json', 0],
    ]);
  });

  it(`${proves('R-4.2-07')} is made of as many requests as the rate says, and always or never when a parent says so`, async () => {
    const header = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}` });
    const spansAt = async (samplingRate: number, headers: Record<string, string>) => {
      const { proxy, collector, stop } = await traced({ samplingRate });
      for (let id = 0; id < 5; id++) await proxy.send({ headers, body: call(id, 'echo') });
      await stop();
      return collector.spans.length;
    };
    expect(await spansAt(1, {})).toBe(5);
    expect(await spansAt(0, {})).toBe(0);
    expect(await spansAt(0, header('01'))).toBe(5);
    expect(await spansAt(1, header('00'))).toBe(0);
    expect(makePlan({ telemetry: { endpoint: 'h' } }).telemetry?.samplingRate).toBe(0.1);
  });
});

describe('the trace', () => {
  const traceparent = `00-${TRACE}-${PARENT}-01`;

  it(`${proves('K-5-54')} is taken from the headers and given on in headers and params._meta`, async () => {
    const { proxy, server, collector, stop } = await traced();
    const body =
      '{ "jsonrpc":"2.0","id":1,"method":"tools/call",\n"params":{ "name":"echo","arguments":{"n":1.0e2,"b":12345678901234567890} } }';
    await proxy.send({ headers: { traceparent, tracestate: 'v=1' }, body });
    await stop();
    const [span] = collector.spans;
    expect([span?.traceId, span?.parentSpanId]).toEqual([TRACE, PARENT]);
    const given = `00-${TRACE}-${span?.spanId}-01`;
    const seen = server.seen.at(-1);
    expect(seen?.headers).toMatchObject({ traceparent: given, tracestate: 'v=1' });
    expect(seen?.headers['content-length']).toBe(String(seen?.body.length));
    const meta = `"_meta":{"traceparent":"${given}","tracestate":"v=1"},`;
    expect(seen?.body).toBe(body.replace('{ "name"', `{${meta} "name"`));
  });

  it(`${proves('K-5-54')} is taken from params._meta first, which keeps its other members`, async () => {
    const { proxy, server, collector, stop } = await traced();
    const other = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const params = { _meta: { progressToken: 7, traceparent }, name: 'echo', arguments: {} };
    await proxy.send({ headers: { traceparent: other }, body: { ...call(1, 'echo'), params } });
    await stop();
    const [span] = collector.spans;
    expect([span?.traceId, span?.parentSpanId]).toEqual([TRACE, PARENT]);
    expect(JSON.parse(server.seen.at(-1)?.body ?? '').params).toEqual({
      _meta: { progressToken: 7, traceparent: `00-${TRACE}-${span?.spanId}-01` },
      name: 'echo',
      arguments: {},
    });
  });

  it('begins anew where none is valid, and leaves notifications and answers as they are', async () => {
    const { proxy, server, collector, stop } = await traced();
    const bad = { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` };
    await proxy.send({ headers: bad, body: list(1, 'ping', {}) });
    const note = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    await proxy.send({ body: note });
    const answer = '{"jsonrpc":"2.0","id":3,"result":{}}';
    await proxy.send({ body: answer });
    await proxy.send({ body: '{"jsonrpc":"2.0","id":4,"method":"ping"}' });
    await stop();
    expect(collector.spans).toHaveLength(4);
    expect(collector.spans[0]?.parentSpanId).toBeUndefined();
    expect(collector.spans[0]?.traceId).not.toMatch(/^0+$/);
    expect(server.seen[1]?.body).toBe(note);
    expect(server.seen[2]?.body).toBe(answer);
    expect(JSON.parse(server.seen[3]?.body ?? '').params._meta.traceparent).toContain(
      collector.spans[3]?.traceId,
    );
  });

  it('is not given on when nothing is traced', async () => {
    const { proxy, server } = await traced({ tracing: false });
    const body = JSON.stringify(call(1, 'echo'));
    await proxy.send({ headers: { traceparent }, body });
    expect(server.seen.at(-1)?.headers.traceparent).toBe(traceparent);
    expect(server.seen.at(-1)?.body).toBe(body);
  });
});

describe('metrics', () => {
  it(`${proves('K-5-55', 'K-5-57')} count requests with bounded labels`, async () => {
    const { proxy, collector, stop } = await traced();
    await proxy.send({ body: call(1, 'echo') });
    await proxy.send({ body: call(2, 'echo') });
    for (let id = 0; id < 20; id++) {
      await proxy.send({ body: call(id, `made-up-${id}`) });
      await proxy.send({ body: list(id, `made/up-${id}`) });
      await proxy.send({ method: 'GET', headers: { 'user-agent': `u-${id}` } });
    }
    await stop();
    expect(metricsOf(collector)).toEqual([
      'berth_mcp_active_connections',
      'berth_mcp_request_duration',
      'berth_mcp_requests',
      'berth_mcp_tool_calls',
      'mcp.server.operation.duration',
    ]);
    expect(JSON.stringify(collector.points)).not.toContain('made');
    const tools = collector.points
      .filter(({ metric }) => metric === 'berth_mcp_tool_calls')
      .map(({ attributes, value }) => [attributes['gen_ai.tool.name'], value]);
    expect(tools).toEqual([
      ['echo', 2],
      ['other', 20],
    ]);
    const operation = collector.points.find(({ metric }) => metric === 'mcp.server.operation.duration');
    expect(operation).toMatchObject({ unit: 's', attributes: { 'mcp.method.name': 'tools/call' } });
    const active = collector.points.filter(({ metric }) => metric === 'berth_mcp_active_connections');
    expect(active.map(({ value }) => value)).toEqual([0]);
    expect(collector.points.length).toBeLessThan(20);
  });

  it(`${proves('R-4.2-10', 'K-5-56', 'K-8.5-08')} are at /metrics with the flag only, without an endpoint too`, async () => {
    const keys = await openKeys();
    const { proxy } = await startGoverned({
      plan: { ...trusting(keys), telemetry: { prometheusPath: true } },
    });
    await proxy.send({ headers: await tokenOf(keys), body: call(1, 'echo') });
    await proxy.send({ body: call(1, 'echo') });
    const reply = await proxy.send({ path: '/metrics' });
    expect([reply.status, reply.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    expect(reply.text).toMatch(/^berth_mcp_requests_total\{[^}]*mcp_method_name="tools\/call"[^}]*\} 1$/m);
    expect(reply.text).toMatch(/^mcp_server_operation_duration_count/m);
    expect(reply.text).toMatch(/http_response_status_code="401"/);
    expect(reply.text).toContain('service_name="berth-tested"');
    const { proxy: without } = await traced();
    expect((await without.send({ path: '/metrics' })).status).toBe(404);
  });
});
