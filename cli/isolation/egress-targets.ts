import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { BerthError } from '../../sources/errors.ts';

/** What `allow_host` opens, sorted by kind. Everything is lower case, in the form a proxy sees. */
export interface EgressTargets {
  /** Host names, each exactly. */
  readonly names: readonly string[];
  /** Domains whose sub-domains are meant, without the leading dot. */
  readonly suffixes: readonly string[];
  /** IPv4 and IPv6 addresses in their canonical spelling. */
  readonly addresses: readonly string[];
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Sorts the entries of an allow list. Nothing but a host name, `.suffix` or IP address passes, so an entry can be
 * written into the configuration of a proxy as it is.
 *
 * @throws BerthError `profile_invalid` naming the entry
 */
export function sortEgressTargets(entries: readonly string[]): EgressTargets {
  const names = new Set<string>();
  const suffixes = new Set<string>();
  const addresses = new Set<string>();
  for (const entry of entries) {
    const address = readAddress(entry);
    if (address !== undefined) addresses.add(address);
    else if (entry.startsWith('.')) suffixes.add(readName(entry.slice(1), entry));
    else names.add(readName(entry, entry));
  }
  return { names: [...names], suffixes: [...suffixes], addresses: [...addresses] };
}

/** True for what `sortEgressTargets` takes. */
export function isEgressTarget(entry: string): boolean {
  try {
    sortEgressTargets([entry]);
    return true;
  } catch {
    return false;
  }
}

/** The canonical spelling of an address; undefined for anything else, and for the shorthands of IPv4. */
function readAddress(entry: string): string | undefined {
  const plain = /^\[(.*)\]$/.exec(entry)?.[1] ?? entry;
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return ipaddr.IPv4.parse(plain).toString();
  return ipaddr.IPv6.isValid(plain) && !plain.includes('%') ? ipaddr.process(plain).toString() : undefined;
}

function readName(text: string, entry: string): string {
  const name = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  const labels = name.split('.');
  // A name that ends in a number is an address in disguise.
  const plain =
    name.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  if (plain && !/[\s/:@?#\\]/.test(text)) return name;
  throw new BerthError(
    'profile_invalid',
    `network.outbound.allow_host: ${JSON.stringify(entry)} is not a host name, ".suffix" or IP address.`,
    { fix: 'Ports belong into allow_port; ".example.com" means every sub-domain of example.com.' },
  );
}
