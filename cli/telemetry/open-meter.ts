import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Meter } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

export interface MeterOptions {
  readonly resource: Resource;
  /** Where metrics are pushed; undefined when they are not. */
  readonly push: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined;
  /** Milliseconds between pushes: `OTEL_METRIC_EXPORT_INTERVAL`. */
  readonly intervalMs: number;
  readonly prometheus: boolean;
}

export interface OpenMeter {
  readonly meter: Meter;
  /** Answers a scrape; undefined when there is no Prometheus path. */
  readonly answerScrape: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Pushes what is left. */
  close(): Promise<void>;
}

/** A push may not take longer than the time between pushes. */
const MAX_EXPORT_MS = 10_000;

/** Starts measuring, for OTLP over HTTP, for a Prometheus path, or both. */
export function openMeter(options: MeterOptions): OpenMeter {
  const readers: IMetricReader[] = [];
  if (options.push !== undefined) {
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: options.push.url, headers: { ...options.push.headers } }),
        exportIntervalMillis: options.intervalMs,
        exportTimeoutMillis: Math.min(options.intervalMs, MAX_EXPORT_MS),
      }),
    );
  }
  const prometheus = options.prometheus ? new PrometheusExporter({ preventServerStart: true }) : undefined;
  if (prometheus !== undefined) readers.push(prometheus);
  const provider = new MeterProvider({ resource: options.resource, readers });
  return {
    meter: provider.getMeter('berth'),
    answerScrape:
      prometheus && ((request, response) => prometheus.getMetricsRequestHandler(request, response)),
    close: () => provider.shutdown(),
  };
}
