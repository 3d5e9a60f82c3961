import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Engine, NetworkInfo, NetworkSpec } from '../engine/engine.ts';

const SUBNET_TRIES = 8;

/**
 * Finds a network by its name, or makes it. Engines hand out a few large subnets only (Docker some thirty): when they
 * are used up, a small one is chosen here.
 *
 * @param chooseSubnet a candidate in CIDR form
 * @throws BerthError `engine_*`; `isolation_no_subnet` when no candidate was free
 */
export async function ensureNetwork(
  engine: Pick<Engine, 'inspectNetwork' | 'createNetwork'>,
  spec: NetworkSpec,
  chooseSubnet: () => string = chooseSmallSubnet,
): Promise<NetworkInfo> {
  const found = await engine.inspectNetwork(spec.name);
  if (found) return found;
  try {
    return await engine.createNetwork(spec);
  } catch (error) {
    if (!isAboutSubnets(error)) throw error;
  }
  let last: unknown;
  for (let round = 0; round < SUBNET_TRIES; round++) {
    try {
      return await engine.createNetwork({ ...spec, subnet: chooseSubnet() });
    } catch (error) {
      if (!isAboutSubnets(error)) throw error;
      last = error;
    }
  }
  throw new BerthError('isolation_no_subnet', `There is no subnet left for the network ${spec.name}.`, {
    fix: 'Remove networks of the container engine that are not needed, for example with `docker network prune`.',
    cause: last,
  });
}

/** The pools are used up, or the subnet is taken: engines have no code of their own for either. */
function isAboutSubnets(error: unknown): boolean {
  return (
    error instanceof BerthError && /address pool|pool overlaps|fully subnetted|subnet/i.test(messageOf(error))
  );
}

/** Sixteen addresses somewhere in 10.128.0.0/9, away from the networks this machine is in. */
function chooseSmallSubnet(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ cidr, family }) =>
      cidr && family === 'IPv4' ? [ipaddr.IPv4.parseCIDR(cidr)] : [],
    ),
  );
  for (;;) {
    const subnet = `10.${randomInt(128, 256)}.${randomInt(256)}.${randomInt(16) * 16}`;
    const address = ipaddr.IPv4.parse(subnet);
    if (own.every(([network, length]) => length < 9 || !address.match(network, Math.min(length, 28)))) {
      return `${subnet}/28`;
    }
  }
}
