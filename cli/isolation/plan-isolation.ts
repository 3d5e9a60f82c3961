import { type ContainerSpec, LABELS, type NetworkSpec } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import { isBridgeMode } from './decide-isolation.ts';
import { sortEgressTargets } from './egress-targets.ts';
import {
  EGRESS_PORT,
  FIRST_INGRESS_PORT,
  GATEWAY_ALIAS,
  GATEWAY_DIRECTORY,
  GATEWAY_NAMES,
  SERVER_ALIAS,
} from './gateway-names.ts';
import { writeGatewayScript } from './gateway-script.ts';
import { type Ingress, writeHaproxyConfiguration } from './haproxy-configuration.ts';
import type { ServerNetworking } from './isolation.ts';
import { type HostFacts, writeRefusalPages, writeSquidConfiguration } from './squid-configuration.ts';

/**
 * A resolver that cannot be reached, for the look-ups the engine would forward for the server: the IPv4 dummy address
 * (RFC 7600), which belongs to nobody.
 */
const NO_RESOLVER = '192.0.0.8';

/** An engine may be set up to give every network IPv6; these have none. */
const NO_IPV6 = { 'com.docker.network.enable_ipv6': 'false' };

/** One port that is forwarded to the server. */
export interface IngressPort extends Ingress {
  readonly hostAddress: string;
  /** 0 lets the engine choose. */
  readonly hostPort: number;
}

/** Everything about the isolation of a workload that can be known before the engine is asked. */
export interface IsolationPlan {
  readonly labels: Readonly<Record<string, string>>;
  readonly inside: NetworkSpec;
  readonly outside: NetworkSpec;
  readonly gatewayName: string;
  readonly ingresses: readonly IngressPort[];
  /** Port of the gateway behind which the MCP endpoint of the server is; undefined for stdio. */
  readonly targetIngress: number | undefined;
  readonly server: ServerNetworking;
}

/** True when the workload gets a gateway: isolation was not dropped or refused. */
export function isIsolated(plan: Plan): boolean {
  return plan.server.kind !== 'remote' && plan.network.isolate && isBridgeMode(plan.network.mode);
}

/**
 * Lays out the networks and ports of an isolated workload (contract 4).
 *
 * @param owner value of `LABELS.owner`
 * @param bindAddress host address of the published ports
 * @throws BerthError `profile_invalid` for an entry of the profile that is no host
 */
export function planIsolation(plan: Plan, owner: string, bindAddress: string): IsolationPlan {
  const labels = { [LABELS.managed]: 'true', [LABELS.workload]: plan.name, [LABELS.owner]: owner };
  const prefix = `berth-${plan.name}-${owner.slice(0, 8)}`;
  const inside = `${prefix}-inside`;
  const target = plan.transport === 'stdio' ? undefined : plan.target.port;
  const allowedHosts = listAllowedHosts(plan);
  const listenPort = (index: number): number => FIRST_INGRESS_PORT + index;
  const ingresses: IngressPort[] = [
    ...(target === undefined
      ? []
      : [{ serverPort: target, hostAddress: '127.0.0.1', hostPort: 0, allowedHosts: undefined }]),
    ...plan.network.publish.map(({ host, container }) => ({
      serverPort: container,
      hostAddress: bindAddress,
      hostPort: host ?? 0,
      allowedHosts,
    })),
  ].map((ingress, index) => ({ ...ingress, listenPort: listenPort(index) }));
  return {
    labels,
    inside: {
      name: inside,
      labels,
      internal: true,
      // The bridge gets no address, so the host cannot be reached at one.
      options: { ...NO_IPV6, 'com.docker.network.bridge.inhibit_ipv4': 'true' },
    },
    outside: { name: `${prefix}-outside`, labels, internal: false, options: NO_IPV6 },
    gatewayName: `${prefix}-gateway`,
    ingresses,
    targetIngress: target === undefined ? undefined : FIRST_INGRESS_PORT,
    server: {
      networks: [{ name: inside, aliases: [SERVER_ALIAS] }],
      dns: [NO_RESOLVER],
      env: writeProxyVariables(),
    },
  };
}

/** The container of the gateway: not root, no capabilities, nothing mounted. */
export function planGateway(
  plan: Plan,
  layout: IsolationPlan,
  image: string,
  facts: HostFacts,
): ContainerSpec {
  const { allowDockerGateway } = plan.network;
  const file = (name: string, content: string) => ({ path: `${GATEWAY_DIRECTORY}/${name}`, content });
  return {
    name: layout.gatewayName,
    image,
    labels: { ...layout.labels, [LABELS.role]: 'gateway' },
    entrypoint: ['/bin/sh', `${GATEWAY_DIRECTORY}/start.sh`],
    command: [],
    user: '65534:65534',
    env: {},
    mounts: [],
    files: [
      file('start.sh', writeGatewayScript(layout.ingresses, facts.insideSubnets[0] ?? '')),
      file('squid.conf', writeSquidConfiguration(plan.profile, allowDockerGateway, facts)),
      file('haproxy.cfg', writeHaproxyConfiguration(layout.ingresses, facts.insideSubnets)),
      ...Object.entries(writeRefusalPages()).map(([name, text]) => file(`errors/${name}`, text)),
    ],
    networks: [{ name: layout.outside.name }, { name: layout.inside.name, aliases: [GATEWAY_ALIAS] }],
    ...(allowDockerGateway && { extraHosts: GATEWAY_NAMES.map((name) => `${name}:host-gateway`) }),
    publish: layout.ingresses.map(({ hostAddress, hostPort, listenPort: containerPort }) => ({
      hostAddress,
      hostPort,
      containerPort,
    })),
    interactive: false,
    memoryBytes: 512 * 1024 * 1024,
    pids: 256,
    readOnlyRoot: false,
    // Nothing is routed through the gateway, and it speaks for no address of its other network.
    sysctls: { 'net.ipv4.ip_forward': '0', 'net.ipv4.conf.all.arp_ignore': '1' },
  };
}

/** `Host` values the profile lets in; undefined when it names none. */
function listAllowedHosts(plan: Plan): readonly string[] | undefined {
  const { allow_host } = plan.profile.network.inbound;
  if (allow_host.length === 0) return undefined;
  const { names, suffixes, addresses } = sortEgressTargets(allow_host);
  return [
    ...names,
    ...addresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
    ...suffixes.map((suffix) => `.${suffix}`),
  ];
}

function writeProxyVariables(): Readonly<Record<string, string>> {
  const proxy = `http://${GATEWAY_ALIAS}:${EGRESS_PORT}`;
  const none = 'localhost,127.0.0.1,::1';
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: none,
    no_proxy: none,
    // Node's own fetch heeds the others only when told to.
    NODE_USE_ENV_PROXY: '1',
    // Look-ups have no answer in there: those who ask need not wait for it long.
    RES_OPTIONS: 'timeout:1 attempts:1',
  };
}
