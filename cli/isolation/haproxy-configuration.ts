import { SERVER_ALIAS } from './gateway-names.ts';

/** One way in through the gateway. */
export interface Ingress {
  /** Port the gateway listens on. */
  readonly listenPort: number;
  /** Port of the server. */
  readonly serverPort: number;
  /** Values of `Host` that may pass; undefined lets every byte pass. */
  readonly allowedHosts: readonly string[] | undefined;
}

/**
 * The configuration of HAProxy for what comes in. The server is looked up for every connection, because its address
 * changes when it is restarted; connections from the server's own network are turned away.
 *
 * @param insideSubnets subnets of the network the server is in
 */
export function writeHaproxyConfiguration(
  ingresses: readonly Ingress[],
  insideSubnets: readonly string[],
): string {
  return `${[HEAD, ...ingresses.map((ingress) => writeIngress(ingress, insideSubnets.join(' ')))].join('\n')}\n`;
}

const HEAD = `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 5s
  timeout client 1d
  timeout server 1d
resolvers engine
  parse-resolv-conf
  resolve_retries 2
  timeout resolve 1s
  timeout retry 500ms
  hold valid 1s`;

function writeIngress({ listenPort, serverPort, allowedHosts }: Ingress, inside: string): string {
  const lookUp = `do-resolve(txn.server,engine,ipv4) str(${SERVER_ALIAS})`;
  const frontend = [
    `frontend in-${listenPort}`,
    `  bind :${listenPort}`,
    `  tcp-request connection reject if { src ${inside} }`,
  ];
  const backend = [`  default_backend out-${listenPort}`, `backend out-${listenPort}`];
  const server = `  server server 0.0.0.0:${serverPort}`;
  if (!allowedHosts) {
    return [
      ...frontend,
      '  tcp-request inspect-delay 5s',
      `  tcp-request content ${lookUp}`,
      '  tcp-request content reject unless { var(txn.server) -m found }',
      ...backend,
      '  tcp-request content set-dst var(txn.server)',
      server,
    ].join('\n');
  }
  const exact = allowedHosts.filter((host) => !host.startsWith('.'));
  const suffixes = allowedHosts.filter((host) => host.startsWith('.'));
  return [
    ...frontend,
    '  mode http',
    ...exact.map((host) => `  acl allowed req.hdr(host),host_only,lower -m str ${host}`),
    ...suffixes.map((suffix) => `  acl allowed req.hdr(host),host_only,lower -m end ${suffix}`),
    '  http-request deny deny_status 403 unless allowed',
    `  http-request ${lookUp}`,
    '  http-request deny deny_status 502 unless { var(txn.server) -m found }',
    ...backend,
    '  mode http',
    '  http-request set-dst var(txn.server)',
    server,
  ].join('\n');
}
