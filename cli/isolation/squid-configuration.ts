import ipaddr from 'ipaddr.js';
import { sortEgressTargets } from './egress-targets.ts';
import { EGRESS_PORT, GATEWAY_DIRECTORY, GATEWAY_NAMES } from './gateway-names.ts';
import type { Profile } from './profile.ts';
import { listShutIpv6, listShutRanges } from './shut-ranges.ts';

/** What the gateway has to know about where it runs. */
export interface HostFacts {
  /** Subnets of the network the server is in. */
  readonly insideSubnets: readonly string[];
  /** Every address of the host, and of the bridges of the engine. */
  readonly hostAddresses: readonly string[];
  /** Addresses of the bridges a container reaches the host by. */
  readonly gatewayAddresses: readonly string[];
}

/** Why a connection is refused: the name of the page, and what stands behind the sentence of contract 4. */
export const REFUSALS = {
  BERTH_HOST: '',
  BERTH_PORT: ': this port is not allowed',
  BERTH_PRIVATE: ': private address',
  BERTH_GATEWAY: ': container gateway',
  BERTH_IPV6: ': IPv6 is shut',
  BERTH_PROTOCOL: ': neither HTTP nor HTTPS',
} as const;
type Refusal = keyof typeof REFUSALS;

/** First word of every line the gateway writes about a connection. */
export const ACCESS_MARK = 'berth-egress';

/**
 * The configuration of Squid for a profile (contract 4). Rules that need no name look-up come before the one that
 * does, so a name outside the profile is never asked for: not even DNS leaves.
 *
 * @throws BerthError `profile_invalid` for an entry that is no host
 */
export function writeSquidConfiguration(
  profile: Profile,
  allowDockerGateway: boolean,
  facts: HostFacts,
): string {
  const { insecure_allow_all: everything, allow_host, allow_port } = profile.network.outbound;
  const targets = sortEgressTargets(allow_host);
  const ipv6 = targets.addresses.filter((address) => ipaddr.IPv6.isValid(address));
  const hosts = writeHosts('allowed_host', targets);
  const gateways = facts.gatewayAddresses.filter((address) => ipaddr.IPv4.isValid(address));
  const gatewayHosts = allowDockerGateway ? [...GATEWAY_NAMES, ...gateways] : GATEWAY_NAMES;
  const nothing = !everything && allow_host.length === 0 && allow_port.length === 0;
  return lines(
    ...SETTINGS,
    `acl inside src ${facts.insideSubnets.join(' ')}`,
    'acl web proto HTTP HTTPS',
    `acl gateway dstdomain -n ${gatewayHosts.join(' ')}`,
    // Not by its bracket: Squid takes `[::]` for a name, and dies when it is to look that up.
    'acl ipv6 dstdom_regex -n :',
    'acl plain dstdom_regex -n ^[][A-Za-z0-9._:-]+$',
    ...hosts,
    ...writeHosts('opened_ipv6', { names: [], suffixes: [], addresses: ipv6 }),
    ...(allow_port.length > 0 ? [`acl allowed_port port ${[...new Set(allow_port)].join(' ')}`] : []),
    `acl shut dst ${listShutRanges(facts.hostAddresses, targets.addresses).join(' ')}`,
    `acl shut dst ${listShutIpv6(facts.hostAddresses).join(' ')}`,
    ...refuse('BERTH_PROTOCOL', 'web'),
    ...refuse('BERTH_GATEWAY', 'gateway'),
    ...refuse('BERTH_IPV6', 'ipv6'),
    ...(hosts.length > 0 ? refuse('BERTH_HOST', 'allowed_host') : []),
    ...(allow_port.length > 0 ? refuse('BERTH_PORT', 'allowed_port') : []),
    ...refuse('BERTH_PRIVATE', 'shut'),
    ...refuse('BERTH_HOST', 'all'),
    ...refuse('BERTH_HOST', 'manager'),
    ...refuse('BERTH_HOST', 'plain'),
    'http_access deny manager',
    'http_access deny !inside',
    'http_access deny !plain',
    'http_access deny !CONNECT !web',
    allowDockerGateway ? 'http_access allow gateway' : 'http_access deny gateway',
    ...(nothing ? ['http_access deny all'] : []),
    ...(everything || hosts.length === 0 ? [] : ['http_access deny !allowed_host']),
    ...(everything || allow_port.length === 0 ? [] : ['http_access deny !allowed_port']),
    ipv6.length > 0 ? 'http_access deny ipv6 !opened_ipv6' : 'http_access deny ipv6',
    'http_access deny shut',
    'http_access allow all',
  );
}

/** The pages Squid shows, by file name. */
export function writeRefusalPages(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([name, why]) => [name, `egress to %H:%p not in the profile${why}\n`]),
  );
}

const SETTINGS = [
  `http_port ${EGRESS_PORT}`,
  'visible_hostname berth-gateway',
  'pid_filename none',
  'coredump_dir none',
  'max_filedescriptors 8192',
  'cache deny all',
  'cache_mem 0',
  'memory_pools off',
  'pinger_enable off',
  'digest_generation off',
  'shutdown_lifetime 0 seconds',
  // Once the configuration is read, nothing is left to say but what the access log says.
  'cache_log /dev/null',
  'cache_store_log none',
  `logformat berth ${ACCESS_MARK} %Ss %err_code %>Hs %rm %>rd %>rP`,
  'access_log stdio:/dev/stdout logformat=berth',
  `error_directory ${GATEWAY_DIRECTORY}/errors`,
  'httpd_suppress_version_string on',
  // After a refusal nothing more is to come: whoever asked need not wait for it.
  'client_persistent_connections off',
  'via off',
  'forwarded_for delete',
  // What was looked up to judge a name is what is connected to: an answer outlives the request that asked for it.
  'negative_dns_ttl 10 seconds',
  'dns_timeout 5 seconds',
  'dns_retransmit_interval 1 second',
  'dns_defnames off',
  'read_timeout 1 day',
];

/** An access list of hosts as they stand in the URL; -n keeps Squid from asking DNS about them. */
function writeHosts(
  list: string,
  { names, suffixes, addresses }: ReturnType<typeof sortEgressTargets>,
): string[] {
  const exact = [...names, ...addresses.filter((address) => ipaddr.IPv4.isValid(address))];
  const patterns = [
    ...exact.map((host) => `^${escapeDots(host)}$`),
    ...addresses.filter((a) => ipaddr.IPv6.isValid(a)).map((a) => String.raw`^\[${escapeDots(a)}\]$`),
    ...suffixes.map((suffix) => String.raw`.\.${escapeDots(suffix)}$`),
  ];
  return patterns.map((pattern) => `acl ${list} dstdom_regex -n -i ${pattern}`);
}

function refuse(page: Refusal, list: string): string[] {
  return [`deny_info 403:${page} ${list}`];
}

function escapeDots(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}
