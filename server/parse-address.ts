import { BerthError } from '../sources/errors.ts';

/** Where a server listens; without a host, on all interfaces. */
export interface ListenAddress {
  readonly host?: string;
  readonly port: number;
}

/**
 * Reads `host:port`, `[ipv6]:port` or `:port` (contract 1).
 * @param flag named in the error
 * @throws BerthError `address_invalid`
 */
export function parseAddress(text: string, flag: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new BerthError('address_invalid', `"${text}" is no address to listen on.`, {
      at: { flag },
      fix: 'Write it as host:port, [ipv6]:port or :port, with a port from 0 to 65535.',
    });
  }
  const host = match[1] ?? match[2];
  return host ? { host, port } : { port };
}
