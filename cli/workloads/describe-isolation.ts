import type { Plan } from '../run/plan.ts';

const SHOWN = 5;

/** Where the server may go, in one line (contract 1). */
export function describeIsolation({
  server,
  network,
  profile,
}: Pick<Plan, 'server' | 'network' | 'profile'>): string {
  if (server.kind === 'remote') return 'not isolated: the server is remote';
  if (!network.isolate) return `not isolated (network ${network.mode ?? 'bridge'})`;
  const gateway = network.allowDockerGateway ? ', and the gateway of the engine' : '';
  return `egress: ${describeEgress(profile)}${gateway}`;
}

function describeEgress({ network: { outbound } }: Plan['profile']): string {
  const { allow_host: hosts, allow_port: ports, insecure_allow_all: all } = outbound;
  if (all) return 'any public host';
  if (hosts.length === 0 && ports.length === 0) return 'none';
  if (hosts.length === 0) return `any public host on port ${ports.join(', ')} only`;
  const [port] = ports;
  const places = hosts.map((host) => (ports.length === 1 ? `${formatHost(host)}:${port}` : host));
  const more = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : '';
  const onPorts = ports.length > 1 ? ` on ports ${ports.join(', ')}` : '';
  return `${places.slice(0, SHOWN).join(', ')}${more}${onPorts} only`;
}

function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
