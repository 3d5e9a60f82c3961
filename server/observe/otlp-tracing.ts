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
import { closeWithin } from './close-within.ts';
import type { Log } from './log.ts';
import { resolveOtlpUrl } from './otlp-endpoint.ts';
import { readTraceParent } from './trace-parent.ts';
import type { Tracing } from './tracing.ts';

const FLUSH_MS = 3000;

export interface OtlpOptions {
  readonly serviceName: string;
  /** The version of Berth when undefined. */
  readonly serviceVersion: string | undefined;
  /** A URL, or `host:port` (https unless `insecure`). */
  readonly endpoint: string;
  readonly insecure: boolean;
  /** Share of requests without a parent that are traced, 0 to 1. */
  readonly sampling: number;
  readonly log: Log;
}

/** Starts sending spans; loaded only when tracing is configured, for it costs 160 ms to load. */
export function startTracing(options: OtlpOptions): Tracing {
  const url = resolveOtlpUrl(options.endpoint, options.insecure, '/v1/traces');
  const exporter = reportFailures(new OTLPTraceExporter({ url }), options.log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.serviceVersion ?? process.env.BERTH_VERSION ?? '0.0.0',
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

/** Says once that the collector is away and once that it is back, instead of once a second. */
export function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
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
