import type { Attributes, Meter } from '@opentelemetry/api';

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
  const requests = meter.createCounter('berth_mcp_requests', { description: 'Requests to the proxy' });
  const calls = meter.createCounter('berth_mcp_tool_calls', { description: 'Tool calls' });
  const active = meter.createUpDownCounter('berth_mcp_active_connections', {
    description: 'Requests under way, streams included',
  });
  const base = { 'mcp.server.name': workload, ...(legacy ? { server: workload, transport } : {}) };
  return {
    open: () => active.add(1, base),
    close(measurement) {
      active.add(-1, base);
      const { seconds, mcpMethod, tool, error, httpMethod, status } = measurement;
      const named: Attributes = {
        ...base,
        ...(mcpMethod === undefined ? {} : { 'mcp.method.name': mcpMethod }),
        ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool }),
        ...(error === undefined ? {} : { 'error.type': error }),
      };
      const whole: Attributes = {
        ...named,
        'http.request.method': httpMethod,
        'http.response.status_code': status,
        ...(legacy ? describeLegacy(measurement) : {}),
      };
      if (mcpMethod !== undefined) operations.record(seconds, named);
      durations.record(seconds, whole);
      requests.add(1, whole);
      if (tool !== undefined) {
        calls.add(1, { ...named, status: error === undefined ? 'success' : 'error' });
      }
    },
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
