import { EGRESS_PORT, GATEWAY_DIRECTORY, SERVER_ALIAS } from './gateway-names.ts';
import type { Ingress } from './haproxy-configuration.ts';

/** What the gateway prints once it takes connections. */
export const READY_LINE = 'berth-gateway ready';
/** What it prints when the image lacks a program; the rest of the line says which. */
export const LACKING_LINE = 'berth-gateway lacks';

/**
 * The script the gateway container runs: HAProxy, or else socat, for what comes in, and Squid for what goes out. When
 * one of them ends, the container ends. Needs nothing of the image but a shell and these programs.
 *
 * @param insideSubnet first IPv4 subnet of the network the server is in
 */
export function writeGatewayScript(ingresses: readonly Ingress[], insideSubnet: string): string {
  const filtered = ingresses.some(({ allowedHosts }) => allowedHosts !== undefined);
  const ports = [EGRESS_PORT, ...ingresses.map(({ listenPort }) => listenPort)];
  return `#!/bin/sh
lacks() { echo "${LACKING_LINE} $1" >&2; exit 1; }
command -v squid >/dev/null || lacks squid
${ingresses.length > 0 ? writeWaysIn(ingresses, insideSubnet, filtered) : ''}
# Listening TCP sockets stand in /proc with state 0A.
listening() { grep -qiE "^ *[0-9]+: [0-9A-F]+:$1 [0-9A-F]+:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null; }
(
  for port in ${ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0')).join(' ')}; do
    until listening "$port"; do sleep 0.02; done
  done
  echo "${READY_LINE}"
) &
exec squid -N -f ${GATEWAY_DIRECTORY}/squid.conf
`;
}

function writeWaysIn(ingresses: readonly Ingress[], insideSubnet: string, filtered: boolean): string {
  const socat = ingresses.map(
    ({ listenPort, serverPort }) =>
      `  ( socat "TCP4-LISTEN:${listenPort},bind=$outside,reuseaddr,fork" TCP4:${SERVER_ALIAS}:${serverPort}; kill $$ ) &`,
  );
  return `if command -v haproxy >/dev/null; then
  ( haproxy -db -q -f ${GATEWAY_DIRECTORY}/haproxy.cfg; kill $$ ) &
${
  filtered
    ? '  :\nelse\n  lacks "haproxy, which inbound.allow_host needs"'
    : `elif command -v socat >/dev/null; then
  number() ( IFS=.; set -- $1; echo $(( ($1 << 24) + ($2 << 16) + ($3 << 8) + $4 )) )
  subnet=${insideSubnet}
  size=$(( 1 << (32 - \${subnet#*/}) ))
  inside=$(( $(number "\${subnet%/*}") / size ))
  read -r self < /proc/sys/kernel/hostname
  outside=
  while read -r address name rest; do
    case $address in *:*|127.*|'') continue ;; esac
    [ "$name" = "$self" ] || continue
    [ $(( $(number "$address") / size )) = "$inside" ] || outside=$address
  done < /etc/hosts
  [ -n "$outside" ] || lacks "an address outside the network of the server"
${socat.join('\n')}
else
  lacks "haproxy and socat"`
}
fi`;
}
