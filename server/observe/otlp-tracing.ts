import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { BerthError } from '../../sources/errors.ts';
import type { Log } from './log.ts';
import { readTraceParent } from './trace-parent.ts';
import type { Tracing } from './tracing.ts';

const FLUSH_MS = 3000;

export interface OtlpOptions {
  readonly serviceName: string;
  /** A URL, or `host:port` (https unless `insecure`). */
  readonly endpoint: string;
  readonly insecure: boolean;
  /** Share of requests without a parent that are traced, 0 to 1. */
  readonly sampling: number;
  readonly log: Log;
}

/** Starts sending spans; loaded only when tracing is configured, for it costs 160 ms to load. */
export function startTracing(options: OtlpOptions): Tracing {
  const url = resolveTracesUrl(options.endpoint, options.insecure);
  const exporter = reportFailures(new OTLPTraceExporter({ url }), options.log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': process.env.BERTH_VERSION ?? '0.0.0',
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampling) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer('berth');
  return {
    startRequest(request) {
      const parent = readTraceParent(request.traceparent, request.tracestate);
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, context);
      if (!span.isRecording()) return undefined;
      span.setAttributes({
        'http.request.method': request.method,
        'url.path': request.path,
        'berth.request_id': request.requestId,
      });
      return {
        end(route, status) {
          span.updateName(`${request.method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: () => closeWithin(FLUSH_MS, provider.shutdown()),
  };
}

/**
 * The URL spans are posted to: `/v1/traces` below the endpoint.
 * @throws BerthError `telemetry_endpoint_invalid`
 */
export function resolveTracesUrl(endpoint: string, insecure: boolean): string {
  const text = /^https?:\/\//.test(endpoint) ? endpoint : `${insecure ? 'http' : 'https'}://${endpoint}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || endpoint.includes('://') !== /^https?:\/\//.test(endpoint)) {
    throw new BerthError('telemetry_endpoint_invalid', 'telemetry.endpoint is neither a URL nor host:port.', {
      fix: 'Write it as collector:4318 or https://collector:4318.',
    });
  }
  if (!url.pathname.endsWith('/v1/traces')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

/** Says once that the collector is away and once that it is back, instead of once a second. */
function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing)
          log.warn({ reason: result.error?.message }, 'Traces cannot be sent; they are dropped');
        if (!failed && failing) log.info({}, 'Traces can be sent again');
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

async function closeWithin(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  // A collector that cannot be reached was reported while exporting, and may not keep the process from ending well.
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
