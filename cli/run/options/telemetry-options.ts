import { listOption, switchOption, textOption } from './option-kinds.ts';
import { PolicyOptions } from './policy-options.ts';

/** Telemetry of the proxy (specification 4.2). */
export abstract class TelemetryOptions extends PolicyOptions {
  otelEndpoint = textOption('--otel-endpoint', 'OTLP endpoint that traces and metrics are sent to');
  otelInsecure = switchOption('--otel-insecure', 'use http instead of https (default: false)');
  otelHeaders = listOption('--otel-headers', 'header of OTLP requests, as key=value; repeatable');
  otelServiceName = textOption('--otel-service-name', 'name of the service (default: berth-NAME)');
  otelCustomAttributes = textOption(
    '--otel-custom-attributes',
    'resource attributes, as key=value,key=value',
  );
  otelEnvVars = listOption(
    '--otel-env-vars',
    'environment variables to put into spans; repeatable or comma-separated',
  );
  otelSamplingRate = textOption('--otel-sampling-rate', 'share of traces, 0.0 to 1.0 (default: 0.1)');
  otelTracingEnabled = switchOption('--otel-tracing-enabled', 'send traces (default: true)');
  otelMetricsEnabled = switchOption('--otel-metrics-enabled', 'send metrics (default: true)');
  otelEnablePrometheusMetricsPath = switchOption(
    '--otel-enable-prometheus-metrics-path',
    'serve /metrics on the port of the proxy (default: false)',
  );
  otelUseLegacyAttributes = switchOption(
    '--otel-use-legacy-attributes',
    'emit the former attribute names too (default: true)',
  );
}
