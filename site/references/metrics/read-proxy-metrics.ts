import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { createInstruments } from '../../../cli/telemetry/create-instruments.ts';

/** A metric of the proxy of a workload. */
export interface ProxyMetric {
  /** Over OTLP. */
  readonly name: string;
  /** At `/metrics`. */
  readonly prometheusName: string;
  readonly type: string;
  readonly unit: string;
  readonly attributes: readonly string[];
  /** Attributes that stand beside them unless the older names are turned off. */
  readonly legacyAttributes: readonly string[];
  readonly description: string;
}

/** Measures one exchange that has everything, and reads what is told of it; in alphabetical order. */
export async function readProxyMetrics(): Promise<ProxyMetric[]> {
  const now = await measure(false);
  const withLegacy = await measure(true);
  return withLegacy.metrics.map((metric) => {
    const attributes = now.metrics.find(({ name }) => name === metric.name)?.attributes ?? [];
    const legacyAttributes = metric.attributes.filter((name) => !attributes.includes(name));
    return { ...metric, attributes, legacyAttributes };
  });
}

async function measure(legacy: boolean) {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  const instruments = createInstruments(provider.getMeter('berth'), 'fetch', 'stdio', legacy);
  const measurement = {
    seconds: 1,
    httpMethod: 'POST',
    status: 200,
    mcpMethod: 'tools/call',
    tool: 'search',
  };
  instruments.open();
  instruments.close({ ...measurement, error: 'jsonrpc_error' });
  const { resourceMetrics } = await exporter.collect();
  const told = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
  const metrics = told.map((metric) => {
    const { descriptor, dataPoints } = metric;
    const text = new PrometheusSerializer().serialize({
      ...resourceMetrics,
      scopeMetrics: [{ scope: { name: 'berth' }, metrics: [metric] }],
    });
    // The first type is that of `target_info`, which every serialization begins with.
    const [, prometheusName = '', type = ''] = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].at(-1) ?? [];
    return {
      name: descriptor.name,
      prometheusName,
      type,
      unit: descriptor.unit,
      description: descriptor.description,
      attributes: [...new Set(dataPoints.flatMap((point) => Object.keys(point.attributes)))].sort(),
    };
  });
  await provider.shutdown();
  return { metrics: metrics.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
