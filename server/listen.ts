import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BerthError } from '../sources/errors.ts';
import type { ListenAddress } from './parse-address.ts';

export interface Listening {
  readonly server: Server;
  readonly url: string;
  /** Stops accepting; requests under way finish within `graceMs`, idle connections end at once. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts an HTTP server.
 * @param flag named in the error when the address is not to be had
 * @throws BerthError `address_in_use`, `address_unavailable`
 */
export async function listen(
  listener: RequestListener,
  address: ListenAddress,
  flag: string,
): Promise<Listening> {
  const server = createServer(
    { keepAliveTimeout: 60_000, requestTimeout: 60_000, headersTimeout: 20_000 },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, address, flag)));
    server.listen({ port: address.port, ...(address.host ? { host: address.host } : {}) }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://${showHost(address.host)}:${port}`,
    close: (graceMs) =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function showHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function explainListenError(error: NodeJS.ErrnoException, address: ListenAddress, flag: string): BerthError {
  const shown = `${address.host ?? ''}:${address.port}`;
  if (error.code === 'EADDRINUSE') {
    return new BerthError('address_in_use', `Something listens on ${shown} already.`, {
      at: { flag },
      fix: `Stop it, or choose another address with ${flag}.`,
    });
  }
  return new BerthError(
    'address_unavailable',
    `Cannot listen on ${shown} (${error.code ?? error.message}).`,
    {
      at: { flag },
      fix: `Choose another address with ${flag}.`,
    },
  );
}
