import { lookup } from 'node:dns/promises';
import { isAddressAllowed, isAddressLiteral, isLoopbackName } from '../../sources/net/address-guard.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 262_144;

export interface DiscoveryFetchOptions {
  /** The remote server or registry that sends us on. */
  readonly resource: URL;
  /** True when the user named the authorization server: then its address is the user's own choice. */
  readonly isChosen: boolean;
  /** PEM of `--berth-ca-bundle`. */
  readonly ca: string | Buffer | undefined;
}

/**
 * The `fetch` for everything a remote server tells us to fetch (contract 6: guarded against SSRF). A public server may
 * not send us to private addresses; one that is private itself may, and plain http works for loopback only.
 */
export async function chooseDiscoveryFetch(options: DiscoveryFetchOptions): Promise<typeof globalThis.fetch> {
  const isTrusted = options.isChosen || (await isPrivate(options.resource.hostname));
  return createGuardedFetch({
    allowPrivate: isTrusted,
    allowLoopbackHttp: isTrusted,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
}

async function isPrivate(hostname: string): Promise<boolean> {
  if (isLoopbackName(hostname)) return true;
  if (isAddressLiteral(hostname)) return !isAddressAllowed(hostname, 'public');
  // A name that cannot be looked up leads nowhere, private or not.
  const addresses = await lookup(hostname, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => !isAddressAllowed(address, 'public'));
}
