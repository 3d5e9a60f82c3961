import { BerthError } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};
const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/**
 * The error to throw for a failure of the network: a BerthError found anywhere in the chain of causes as it is,
 * otherwise `net_timeout` or `net_unreachable` naming the host and a reason that holds no resolved address.
 */
export function explainNetworkError(error: unknown, host: string): BerthError {
  const chain = listCauses(error);
  const deliberate = chain.find((cause) => cause instanceof BerthError);
  if (deliberate instanceof BerthError) return deliberate;
  const codes = chain.map(readCode).filter((code) => code !== undefined);
  if (codes.some((code) => timeouts.has(code))) return refuseSlowness(host);
  const known = codes.find((code) => reasons[code] !== undefined) ?? codes.at(-1);
  const reason =
    known === undefined ? 'the connection failed' : (reasons[known] ?? `the connection failed (${known})`);
  return new BerthError('net_unreachable', `${host} cannot be reached: ${reason}.`, {
    fix: 'Check the host name, the port and the network between.',
    cause: error,
  });
}

/** The error for an operation that took too long. `timeoutMs` is named when it is the caller's own limit. */
export function refuseSlowness(host: string, timeoutMs?: number): BerthError {
  const limit = timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1000} s`;
  return new BerthError('net_timeout', `${host} did not answer ${limit}.`, {
    fix: 'Check that the host is up, or allow more time.',
  });
}

function listCauses(error: unknown): unknown[] {
  const chain: unknown[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 20) {
    const next = queue.shift();
    if (!(next instanceof Error) || chain.includes(next)) continue;
    chain.push(next);
    queue.push(next.cause);
    if (next instanceof AggregateError) queue.push(...next.errors);
  }
  return chain;
}

function readCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
