import type { Attributes, Meter, ObservableCounter } from '@opentelemetry/api';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What is measured of one exchange; every value is bounded. */
export interface Measurement {
  readonly seconds: number;
  readonly httpMethod: string;
  readonly status: number;
  /** undefined when no message was read. */
  readonly mcpMethod: string | undefined;
  /** undefined unless a tool was called. */
  readonly tool: string | undefined;
  readonly error: string | undefined;
}

export interface Instruments {
  open(): void;
  close(measurement: Measurement): void;
}

/**
 * The metrics of a workload: `mcp.server.operation.duration` of the conventions, and counts under the tool's own name.
 * @param legacy whether older label names stand beside the new ones
 */
export function createInstruments(
  meter: Meter,
  workload: string,
  transport: string,
  legacy: boolean,
): Instruments {
  const advice = { explicitBucketBoundaries: SECONDS };
  const operations = meter.createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'Duration of MCP requests as the proxy saw them',
    advice,
  });
  const durations = meter.createHistogram('berth_mcp_request_duration', {
    unit: 's',
    description: 'Duration of requests to the proxy',
    advice,
  });
  const requests = countSeries(
    meter.createObservableCounter('berth_mcp_requests', { description: 'Requests to the proxy' }),
  );
  const calls = countSeries(
    meter.createObservableCounter('berth_mcp_tool_calls', { description: 'Tool calls' }),
  );
  const base = { 'mcp.server.name': workload, ...(legacy ? { server: workload, transport } : {}) };
  let open = 0;
  meter
    .createObservableUpDownCounter('berth_mcp_active_connections', {
      description: 'Requests under way, streams included',
    })
    .addCallback((result) => result.observe(open, base));
  const known = new Map<string, Labels>();
  const label = (measurement: Measurement): Labels => {
    const { mcpMethod, tool, error, httpMethod, status } = measurement;
    const key = `${httpMethod} ${status} ${mcpMethod} ${error} ${tool}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const labels = { key, ...describe(measurement, base, legacy) };
    known.set(key, labels);
    return labels;
  };
  return {
    open: () => {
      open += 1;
    },
    close(measurement) {
      open -= 1;
      const { key, named, whole, called } = label(measurement);
      if (measurement.mcpMethod !== undefined) operations.record(measurement.seconds, named);
      durations.record(measurement.seconds, whole);
      requests(key, whole);
      if (called !== undefined) calls(`${measurement.tool} ${measurement.error}`, called);
    },
  };
}

/** The attributes of one series; made once, since their values are few. */
interface Labels {
  readonly key: string;
  readonly named: Attributes;
  readonly whole: Attributes;
  readonly called: Attributes | undefined;
}

function describe(measurement: Measurement, base: Attributes, legacy: boolean): Omit<Labels, 'key'> {
  const { mcpMethod, tool, error, httpMethod, status } = measurement;
  const named: Attributes = {
    ...base,
    ...(mcpMethod === undefined ? {} : { 'mcp.method.name': mcpMethod }),
    ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool }),
    ...(error === undefined ? {} : { 'error.type': error }),
  };
  return {
    named,
    whole: {
      ...named,
      'http.request.method': httpMethod,
      'http.response.status_code': status,
      ...(legacy ? describeLegacy(measurement) : {}),
    },
    called: tool === undefined ? undefined : { ...named, status: error === undefined ? 'success' : 'error' },
  };
}

/** Counts here what is only told when somebody reads: adding to a counter of the SDK costs as much as a small request. */
function countSeries(counter: ObservableCounter): (key: string, attributes: Attributes) => void {
  const series = new Map<string, { readonly attributes: Attributes; count: number }>();
  counter.addCallback((result) => {
    for (const { attributes, count } of series.values()) result.observe(count, attributes);
  });
  return (key, attributes) => {
    const known = series.get(key);
    if (known === undefined) series.set(key, { attributes, count: 1 });
    else known.count += 1;
  };
}

function describeLegacy({ httpMethod, status, mcpMethod, tool, error }: Measurement): Attributes {
  return {
    method: httpMethod,
    status_code: String(status),
    status: error === undefined ? 'success' : 'error',
    ...(mcpMethod === undefined ? {} : { mcp_method: mcpMethod }),
    ...(tool === undefined ? {} : { tool }),
  };
}
