import { BerthError } from '../../sources/errors.ts';

/**
 * The URL one kind of telemetry is posted to: `path` below the endpoint.
 * @param endpoint a URL, or `host:port` (https unless `insecure`)
 * @param path `/v1/traces` or `/v1/metrics`
 * @throws BerthError `telemetry_endpoint_invalid`
 */
export function resolveOtlpUrl(
  endpoint: string,
  insecure: boolean,
  path: '/v1/traces' | '/v1/metrics',
): string {
  const text = /^https?:\/\//.test(endpoint) ? endpoint : `${insecure ? 'http' : 'https'}://${endpoint}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || endpoint.includes('://') !== /^https?:\/\//.test(endpoint)) {
    throw new BerthError('telemetry_endpoint_invalid', 'telemetry.endpoint is neither a URL nor host:port.', {
      fix: 'Write it as collector:4318 or https://collector:4318.',
    });
  }
  if (!url.pathname.endsWith(path)) url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  return url.href;
}
