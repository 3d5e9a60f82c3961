import type { TelemetryConfig } from '../../sources/config/schema.ts';
import type { Log } from './log.ts';

/** The part of a request a span is made from. */
export interface TracedRequest {
  readonly method: string;
  /** The raw path, without the query: queries may hold what callers search for. */
  readonly path: string;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface RequestSpan {
  /** @param route the route template; names the span `METHOD route` */
  end(route: string, status: number): void;
}

export interface Tracing {
  /** Undefined when the request is not sampled, or nothing is traced at all. */
  startRequest(request: TracedRequest): RequestSpan | undefined;
  /** Sends what is waiting, for at most 3 s. */
  close(): Promise<void>;
}

const NO_TRACING: Tracing = { startRequest: () => undefined, close: () => Promise.resolve() };

/**
 * Traces over OTLP/HTTP (contract 2 `telemetry`). Without an endpoint, or with tracing off, nothing is loaded and
 * starting a request costs a call.
 * @throws BerthError `telemetry_endpoint_invalid`
 */
export async function createTracing(config: TelemetryConfig | undefined, log: Log): Promise<Tracing> {
  if (!config?.enabled || config.endpoint === undefined || config.tracing?.enabled === false)
    return NO_TRACING;
  const { startTracing } = await import('./otlp-tracing.ts');
  return startTracing({
    serviceName: config.serviceName,
    serviceVersion: config.serviceVersion,
    endpoint: config.endpoint,
    insecure: config.insecure,
    sampling: config.tracing?.sampling ?? 0.05,
    log,
  });
}
