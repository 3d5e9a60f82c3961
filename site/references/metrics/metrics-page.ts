import { renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import type { Program } from '../source-code/load-program.ts';
import { findAttributes } from './find-attributes.ts';
import { findRefusals } from './find-refusals.ts';
import { findRegistryMetrics } from './find-registry-metrics.ts';
import { readProxyMetrics } from './read-proxy-metrics.ts';

const PROXY_SPANS = 'cli/telemetry/describe-exchange.ts';

/** The reference of metrics and traces, of the service and of the proxy of a workload. */
export async function renderMetricsPage(program: Program): Promise<Page> {
  const proxy = await readProxyMetrics();
  return {
    path: 'metrics.md',
    title: 'Metrics and traces',
    description:
      'Every metric of the service and of the proxy of a workload, and the attributes of their spans.',
    order: 4,
    blocks: [
      'What a service and the proxy in front of a server tell of themselves. Values of labels are bounded: no client can make their number grow.',
      '## Metrics of the service',
      'At `/metrics` of the internal address (`--internal-address`, 8081 unless told otherwise), unless [`telemetry.metrics.enabled`](/docs/reference/configuration/#telemetrymetrics) is false. Beside these stand those of the process and of Node, which begin with `process_` and `nodejs_`.',
      renderTable(
        ['Metric', 'Type', 'Labels', 'Meaning'],
        findRegistryMetrics(program).map(({ name, type, labels, help }) => [
          renderName(name),
          type,
          labels.map(renderCode).join(', '),
          help,
        ]),
      ),
      '### Reasons of refused tokens',
      'The label `reason` of `registry_auth_failures_total`.',
      renderTable(
        ['Reason', 'Meaning'],
        findRefusals(program).map(({ reason, description }) => [renderCode(reason), description]),
      ),
      '## Spans of the service',
      'Sent over OTLP when [`telemetry.endpoint`](/docs/reference/configuration/#telemetry) is set: one for each request, named by method and route.',
      renderList(
        findAttributes(program, 'server/observe/otlp-tracing.ts').filter(
          (name) => !name.startsWith('service.'),
        ),
      ),
      '## Metrics of a workload',
      'Of `berth run` with [`--otel-endpoint`](/docs/reference/cli/run/#run--otel-endpoint) over OTLP, and with [`--otel-enable-prometheus-metrics-path`](/docs/reference/cli/run/#run--otel-enable-prometheus-metrics-path) at `/metrics` of its proxy under the second name. Older attributes stand beside the others unless `--otel-use-legacy-attributes=false` is given.',
      renderTable(
        ['OTLP', 'Prometheus', 'Type', 'Unit', 'Attributes', 'Older attributes', 'Meaning'],
        proxy.map((metric) => [
          renderName(metric.name),
          renderCode(metric.prometheusName),
          metric.type,
          metric.unit,
          metric.attributes.map(renderCode).join(', '),
          metric.legacyAttributes.map(renderCode).join(', '),
          metric.description,
        ]),
      ),
      '## Spans of a workload',
      'One for each exchange with the proxy, named by what is asked and of which tool or prompt, such as `tools/call search`; what is no MCP is named by method and path. Attributes without a value are left out.',
      '### Of HTTP',
      renderList(findAttributes(program, PROXY_SPANS, 'describeHttp')),
      '### Of MCP',
      renderList(findAttributes(program, PROXY_SPANS, 'describeMcp')),
      '### Of the outcome',
      renderList(findAttributes(program, PROXY_SPANS, 'describeOutcome')),
      '### Older names',
      renderList(findAttributes(program, PROXY_SPANS, 'describeLegacy')),
      'Variables named with [`--otel-env-vars`](/docs/reference/cli/run/#run--otel-env-vars) are added as `environment.NAME`.',
    ],
  };
}

function renderName(name: string): string {
  return `<span id="${name}"></span>${renderCode(name)}`;
}

function renderList(names: readonly string[]): string {
  return names.map((name) => `- ${renderCode(name)}`).join('\n');
}
