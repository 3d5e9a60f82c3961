import { BerthError } from '../../sources/errors.ts';
import type { Plan } from '../run/plan.ts';
import { isLocalHost } from './is-local-host.ts';

/**
 * Where the proxy on the host reaches the MCP endpoint.
 *
 * @param published port of the host that leads to it
 * @throws BerthError `isolation_no_target` when there is none
 */
export function findTarget(
  plan: Plan,
  published: number | undefined,
): { readonly host: string; readonly port: number } {
  const { host, port } = plan.target;
  // Another machine was asked for: nothing of this one stands between.
  if (port !== undefined && !isLocalHost(host)) return { host, port };
  if (published !== undefined) return { host: '127.0.0.1', port: published };
  throw new BerthError('isolation_no_target', `The server of ${plan.name} has no port that can be reached.`, {
    fix: 'Give the port the server listens on with --target-port; see `berth logs` when it does not start.',
  });
}
