import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { readList, readPair, readPairs, readSwitch, readText } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

/** Pairs in one flag, separated by commas: each part has to begin like a pair, as a value may hold commas. */
const SEVERAL = /,(?=[!#$%&'*+.^_`|~0-9A-Za-z-]+=)/;

/**
 * The flags of specification 4.2; values of headers apart, as they are mostly keys. Without an endpoint and without the metrics path there is no telemetry at all.
 * @throws UsageError
 */
export function parseTelemetryFlags(
  options: RunOptionValues,
): Pick<RunFlags, 'telemetry' | 'given' | 'warnings'> {
  const endpoint = readEndpoint(options.otelEndpoint);
  const prometheusPath = readSwitch(
    '--otel-enable-prometheus-metrics-path',
    options.otelEnablePrometheusMetricsPath,
  );
  const telemetry = withoutAbsent({
    endpoint,
    insecure: readSwitch('--otel-insecure', options.otelInsecure),
    serviceName: readText('--otel-service-name', options.otelServiceName),
    attributes: readPairs(
      '--otel-custom-attributes',
      options.otelCustomAttributes?.split(',').map((pair) => pair.trim()),
      'key=value,key=value',
    ),
    envVars: readList('--otel-env-vars', options.otelEnvVars),
    samplingRate: readRate(options.otelSamplingRate),
    tracing: readSwitch('--otel-tracing-enabled', options.otelTracingEnabled),
    metrics: readSwitch('--otel-metrics-enabled', options.otelMetricsEnabled),
    prometheusPath,
    legacyAttributes: readSwitch('--otel-use-legacy-attributes', options.otelUseLegacyAttributes),
  });
  const headers = readHeaders(options.otelHeaders);
  if (endpoint !== undefined || prometheusPath === true) {
    return { telemetry, given: headers === undefined ? {} : { telemetryHeaders: headers }, warnings: [] };
  }
  if (headers === undefined && Object.keys(telemetry).length === 0) return { given: {}, warnings: [] };
  return { given: {}, warnings: ['The --otel flags have no effect without --otel-endpoint.'] };
}

/** A URL, or `host:port`, to which the scheme is put by `--otel-insecure`. */
function readEndpoint(given: string | undefined): string | undefined {
  const text = readText('--otel-endpoint', given);
  if (text === undefined) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !/\s/.test(text)) return text;
  throw refuseFlag('--otel-endpoint', `"${text}" is not an http or https URL or host:port.`);
}

function readHeaders(given: readonly string[] | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const flag = '--otel-headers';
  const pairs = given
    .flatMap((text) => text.split(SEVERAL))
    .map((text) => {
      if (text.indexOf('=') < 1) throw refuseFlag(flag, 'A header is not of the form key=value.');
      return readPair(flag, text, 'key=value');
    });
  for (const [name, value] of pairs) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\u0000-\u001f\u007f]/.test(value)) {
      throw refuseFlag(flag, `"${name}" cannot be sent as a header.`);
    }
  }
  return Object.fromEntries(pairs);
}

function readRate(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const rate = /^(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/i.test(given) ? Number(given) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw refuseFlag('--otel-sampling-rate', `"${given}" is not a rate.`, 'Give a number from 0.0 to 1.0.');
}
