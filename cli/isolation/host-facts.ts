import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { BerthError } from '../../sources/errors.ts';
import type { Engine, NetworkInfo } from '../engine/engine.ts';
import type { HostFacts } from './squid-configuration.ts';

/** Every address of this machine. */
export function listHostAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.map(({ address }) => address.replace(/%.*$/, '')))];
}

/** Collects what the gateway refuses and where it stands; the default bridge may have another name or none. */
export async function collectHostFacts(
  engine: Engine,
  inside: NetworkInfo,
  outside: NetworkInfo,
): Promise<HostFacts> {
  const bridge = await engine.inspectNetwork('bridge');
  const gatewayAddresses = [...new Set([...listGateways(bridge), ...listGateways(outside)])];
  return {
    insideSubnets: inside.subnets,
    hostAddresses: [...new Set([...listHostAddresses(), ...gatewayAddresses])],
    gatewayAddresses,
  };
}

/**
 * The address a host flag means, for the engine, which takes no names.
 *
 * @throws BerthError `isolation_unknown_host` when the name has no address
 */
export async function findBindAddress(host: string): Promise<string> {
  const plain = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  if (isIP(plain)) return plain;
  try {
    return (await lookup(plain, { family: 4 })).address;
  } catch (cause) {
    throw new BerthError('isolation_unknown_host', `The host ${host} has no address.`, {
      at: { flag: '--host' },
      fix: 'Give an IP address of this machine.',
      cause,
    });
  }
}

/** The host's addresses in a bridge network; some engines say only the subnet, whose first address it is. */
function listGateways(network: NetworkInfo | undefined): readonly string[] {
  if (!network) return [];
  if (network.gateways.length > 0) return network.gateways.map((gateway) => gateway.replace(/\/\d+$/, ''));
  return network.subnets.filter((subnet) => ipaddr.IPv4.isValidCIDR(subnet)).map(findFirstAddress);
}

function findFirstAddress(subnet: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.networkAddressFromCIDR(subnet).octets;
  return [a, b, c, d + 1].join('.');
}
