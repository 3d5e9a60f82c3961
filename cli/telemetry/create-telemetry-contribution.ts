import type { Attributes } from '@opentelemetry/api';
import { closeWithin } from '../../server/observe/close-within.ts';
import { resolveOtlpUrl } from '../../server/observe/otlp-endpoint.ts';
import { BerthError } from '../../sources/errors.ts';
import { isErrorAnswer } from '../policy/audit/judge-answer.ts';
import { asLog } from '../proxy/as-log.ts';
import type { Contribution, Exchange, ListedTool } from '../proxy/exchange.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { Plan, TelemetryPlan } from '../run/plan.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { boundMethod, createToolNames } from './bounded-names.ts';
import { createInstruments } from './create-instruments.ts';
import { handOnTrace } from './trace-context.ts';
import { trackSpans } from './track-spans.ts';

/** The OpenTelemetry defaults of the two intervals, in milliseconds. */
const METRIC_INTERVAL_MS = 60_000;
const SPAN_DELAY_MS = 5_000;
const FLUSH_MS = 3_000;

export interface TelemetryDeps {
  readonly secrets: SecretStore;
  readonly log: ProxyLog;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly listTools: () => Promise<readonly ListedTool[]>;
}

/**
 * Traces and measures every exchange (contract 5, specification 4.2). The SDK is loaded only when there is somewhere
 * to send to.
 * @throws BerthError `telemetry_endpoint_invalid`, `telemetry_insecure`, `secret_missing`
 */
export async function createTelemetryContribution(
  plan: Plan,
  deps: TelemetryDeps,
): Promise<Contribution | undefined> {
  const { telemetry } = plan;
  if (telemetry === undefined) return undefined;
  const { endpoint } = telemetry;
  if (endpoint === undefined && !telemetry.prometheusPath) return undefined;
  if (endpoint?.startsWith('http://') && !telemetry.insecure) {
    throw new BerthError('telemetry_insecure', 'Telemetry is not sent over plain http.', {
      at: { flag: '--otel-endpoint' },
      fix: 'Use an https endpoint, or add --otel-insecure.',
    });
  }
  const [{ resourceFromAttributes }, { openTracer }, { openMeter }] = await Promise.all([
    import('@opentelemetry/resources'),
    import('./open-tracer.ts'),
    import('./open-meter.ts'),
  ]);
  const resource = resourceFromAttributes({
    'service.name': telemetry.serviceName ?? `berth-${plan.name}`,
    'service.version': process.env.BERTH_VERSION ?? '0.0.0',
    ...telemetry.attributes,
  });
  const headers = await resolveHeaders(telemetry, deps.secrets);
  const urlOf = (path: '/v1/traces' | '/v1/metrics') =>
    endpoint === undefined
      ? undefined
      : resolveOtlpUrl(applyScheme(endpoint, telemetry.insecure), telemetry.insecure, path);

  const tracesUrl = telemetry.tracing ? urlOf('/v1/traces') : undefined;
  const tracing =
    tracesUrl === undefined
      ? undefined
      : openTracer({
          url: tracesUrl,
          headers,
          resource,
          samplingRate: telemetry.samplingRate,
          scheduledDelayMs: readInterval(deps.env.OTEL_BSP_SCHEDULE_DELAY, SPAN_DELAY_MS),
          log: asLog(deps.log),
        });
  const spans = tracing && trackSpans(tracing.tracer, plan, readEnvironment(plan, telemetry, deps.env));
  const metricsUrl = telemetry.metrics ? urlOf('/v1/metrics') : undefined;
  const metering =
    metricsUrl === undefined && !telemetry.prometheusPath
      ? undefined
      : openMeter({
          resource,
          push: metricsUrl === undefined ? undefined : { url: metricsUrl, headers },
          intervalMs: readInterval(deps.env.OTEL_METRIC_EXPORT_INTERVAL, METRIC_INTERVAL_MS),
          prometheus: telemetry.prometheusPath,
        });
  const instruments =
    metering && createInstruments(metering.meter, plan.name, plan.transport, telemetry.legacyAttributes);
  const toolNames = createToolNames(deps.listTools, () => performance.now());

  const measure = (exchange: Exchange, failed: boolean, seconds: number): void => {
    const { mcp, request, response, outcome } = exchange;
    const called = calledTool(exchange);
    const status = response.statusCode;
    instruments?.close({
      seconds,
      httpMethod: boundHttpMethod(request.method),
      status,
      mcpMethod: mcp?.method === undefined ? undefined : boundMethod(mcp.method),
      tool: called === undefined ? undefined : toolNames.bound(called),
      error: outcome.refusal ?? (status >= 400 ? String(status) : failed ? 'jsonrpc_error' : undefined),
    });
  };
  return {
    needsMcp: true,
    ...(metering?.answerScrape === undefined ? {} : { routes: { '/metrics': metering.answerScrape } }),
    stages: {
      async telemetry(exchange, next) {
        let failed = false;
        exchange.answerObservers.push((message) => {
          failed = isErrorAnswer(message);
        });
        instruments?.open();
        spans?.begin(exchange);
        const began = performance.now();
        try {
          await next();
        } finally {
          spans?.end(exchange, failed);
          measure(exchange, failed, (performance.now() - began) / 1000);
        }
      },
      // Behind everything that refuses or changes the request: the server gets the trace of what it is really asked.
      async 'outgoing-headers'(exchange, next) {
        const called = calledTool(exchange);
        if (instruments !== undefined && called !== undefined) await toolNames.learn(called);
        if (spans !== undefined) handOnTrace(exchange, spans.open(exchange).spanContext());
        await next();
      },
    },
    async close() {
      await closeWithin(FLUSH_MS, Promise.all([tracing?.close(), metering?.close()]));
    },
  };
}

function calledTool({ mcp }: Exchange): string | undefined {
  return mcp?.method === 'tools/call' ? mcp.target : undefined;
}

async function resolveHeaders(
  { headers }: TelemetryPlan,
  secrets: SecretStore,
): Promise<Readonly<Record<string, string>>> {
  const resolved: Record<string, string> = {};
  for (const [name, secretName] of Object.entries(headers)) {
    resolved[name] = await requireSecret(secrets, secretName);
  }
  return resolved;
}

/** `--otel-insecure` means http, also where the endpoint says https. */
function applyScheme(endpoint: string, insecure: boolean): string {
  return insecure ? endpoint.replace(/^https:/, 'http:') : endpoint;
}

/** Milliseconds of an `OTEL_` variable; what is no number means the default, as its specification has it. */
function readInterval(text: string | undefined, byDefault: number): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : byDefault;
}

/** Values of `--otel-env-vars`: of the server's environment, else of ours. What is a secret of the server stays one. */
function readEnvironment(
  plan: Plan,
  telemetry: TelemetryPlan,
  env: Readonly<Record<string, string | undefined>>,
): Attributes {
  const attributes: Attributes = {};
  for (const name of telemetry.envVars) {
    const value = Object.hasOwn(plan.secrets, name) ? undefined : (plan.env[name] ?? env[name]);
    if (value !== undefined) attributes[`environment.${name}`] = value;
  }
  return attributes;
}

function boundHttpMethod(method: string | undefined): string {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : '_OTHER';
}
