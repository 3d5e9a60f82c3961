import { BlockList, isIPv6 } from 'node:net';
import { isLoopbackName } from '../../../sources/net/address-guard.ts';
import { TRANSPORTS } from '../plan.ts';
import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { readDuration, readHost, readList, readPort, readSwitch, readWord } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+$/i;
const PREFIX = /^\/[^\s?#\\]*$/;

/** The flags of how the server talks and how the proxy serves (specification 4.1). @throws UsageError */
export function parseProxyFlags(
  options: RunOptionValues,
): Pick<RunFlags, 'transport' | 'target' | 'proxy' | 'warnings'> {
  const transport = readWord('--transport', options.transport, TRANSPORTS);
  const mode = readWord('--proxy-mode', options.proxyMode, ['streamable-http', 'sse']);
  const host = readHost('--host', options.host);
  const allowedOrigins = readOrigins(options.allowedOrigins);
  const warnings: string[] = [];
  if (mode === 'sse') {
    warnings.push('--proxy-mode sse is deprecated and will be removed; clients should use streamable-http.');
  }
  if (host !== undefined && !isLoopback(host) && allowedOrigins === undefined) {
    warnings.push(
      `The proxy will listen on ${host}, beyond this machine, and let browsers of every origin in; --allowed-origins names those that may.`,
    );
  }
  return {
    ...withoutAbsent({ transport }),
    target: withoutAbsent({
      host: readHost('--target-host', options.targetHost),
      port: readPort('--target-port', options.targetPort),
    }),
    proxy: withoutAbsent({
      mode,
      host,
      port: readPort('--proxy-port', options.proxyPort),
      endpointPrefix: readPrefix(options.endpointPrefix),
      stateless: readSwitch('--stateless', options.stateless),
      // Zero stands for the default (specification 4.1).
      sessionTtlMs: readDuration('--session-ttl', options.sessionTtl, 0) || undefined,
      requestTimeoutMs: readDuration('--request-timeout', options.requestTimeout),
      allowedOrigins,
      trustProxyHeaders: readSwitch('--trust-proxy-headers', options.trustProxyHeaders),
    }),
    warnings,
  };
}

function readPrefix(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (!PREFIX.test(given)) {
    throw refuseFlag('--endpoint-prefix', `"${given}" is not a path.`, 'Begin it with "/".');
  }
  return given.replace(/\/+$/, '') || undefined;
}

function readOrigins(given: readonly string[] | undefined): string[] | undefined {
  const origins = readList('--allowed-origins', given);
  const wrong = origins?.find((origin) => !ORIGIN.test(origin));
  if (wrong === undefined) return origins;
  throw refuseFlag(
    '--allowed-origins',
    `"${wrong}" is not an origin.`,
    'Write scheme://host or scheme://host:port, without a path; origins are matched exactly.',
  );
}

function isLoopback(host: string): boolean {
  if (!isIPv6(host)) return isLoopbackName(host.toLowerCase());
  const loopback = new BlockList();
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(host, 'ipv6');
}
