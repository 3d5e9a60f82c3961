import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Log } from '../../server/observe/log.ts';
import { reportFailures } from '../../server/observe/otlp-tracing.ts';

export interface TracerOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
  /** Share of requests without a parent that are traced, 0 to 1. */
  readonly samplingRate: number;
  /** Milliseconds between exports: `OTEL_BSP_SCHEDULE_DELAY`. */
  readonly scheduledDelayMs: number;
  readonly log: Log;
}

/** Starts sending spans as OTLP over HTTP. `close` flushes. */
export function openTracer(options: TracerOptions): { readonly tracer: Tracer; close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: options.url, headers: { ...options.headers } });
  const provider = new BasicTracerProvider({
    resource: options.resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.samplingRate) }),
    spanProcessors: [
      new BatchSpanProcessor(reportFailures(exporter, options.log), {
        scheduledDelayMillis: options.scheduledDelayMs,
      }),
    ],
  });
  return { tracer: provider.getTracer('berth'), close: () => provider.shutdown() };
}
