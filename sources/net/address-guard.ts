import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { BerthError } from '../errors.ts';

/** Which addresses beyond public unicast a connection may reach. */
export type AddressRule = 'public' | 'public-or-loopback' | 'any';

/** Resolves a host name to every address it has; the system resolver unless a test brings its own. */
export type ResolveHost = (
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const resolveWithSystem: ResolveHost = (hostname, options, done) =>
  systemLookup(hostname, { ...options, all: true }, done);

/**
 * Whether `address` (any spelling of an IPv4 or IPv6 literal, brackets allowed) may be connected to. Everything that
 * is not plain public unicast counts as private: loopback, link-local, unique-local, carrier NAT, v4-mapped, 6to4,
 * NAT64, multicast, unspecified (contract 6, 7).
 */
export function isAddressAllowed(address: string, rule: AddressRule): boolean {
  if (rule === 'any') return true;
  const literal = stripBrackets(address);
  if (!ipaddr.isValid(literal)) return false;
  const range = ipaddr.process(literal).range();
  return range === 'unicast' || (rule === 'public-or-loopback' && range === 'loopback');
}

/** Whether the host part of a URL is an IP literal rather than a name. */
export function isAddressLiteral(hostname: string): boolean {
  return ipaddr.isValid(stripBrackets(hostname));
}

/** Whether a URL's host name says loopback by itself: `localhost`, a name below it, or a loopback literal. */
export function isLoopbackName(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  return isAddressAllowed(hostname, 'public-or-loopback') && !isAddressAllowed(hostname, 'public');
}

/**
 * A DNS lookup for `net.connect` that leaves out the addresses the rule forbids, so that the address which was
 * checked is the address which is connected to.
 *
 * @throws (to the callback) BerthError `net_private_address` when no allowed address is left
 */
export function createGuardedLookup(rule: AddressRule, resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, rule));
      const first = allowed[0];
      if (!first) return callback(refuseAddress(hostname), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** The refusal of a host; names what was asked for, never what a name resolved to. */
export function refuseAddress(hostname: string): BerthError {
  return new BerthError(
    'net_private_address',
    `${hostname} is, or resolves to, an address that is not public, and this connection may reach public addresses only.`,
    { fix: 'Use a public host, or allow private addresses for this setting.' },
  );
}

function stripBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
