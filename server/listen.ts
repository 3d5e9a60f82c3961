import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BerthError } from '../sources/errors.ts';
import { answerProblem, HttpError } from './http/problem.ts';
import { chooseRequestId } from './http/request-id.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';
import type { ListenAddress } from './parse-address.ts';

export interface Listening {
  readonly server: Server;
  readonly url: string;
  /** Stops accepting; requests under way finish within `graceMs`, idle connections end at once. */
  close(graceMs: number): Promise<void>;
}

const TIDY_MS = 200;
const MALFORMED: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, 'headers_too_large', 'The headers of the request are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'request_incomplete', 'The request did not arrive in time.'),
};

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
  server.on('clientError', refuseMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, address, flag)));
    server.listen({ port: address.port, ...(address.host ? { host: address.host } : {}) }, resolve);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://${showHost(address.host)}:${port}`,
    close: (graceMs) =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), graceMs);
        // A connection that was busy when closing began is idle a moment later. One that was opened ahead and never
        // used is not idle for node, and would be waited for.
        const tidy = setInterval(() => {
          server.closeIdleConnections();
          cutSilent(sockets);
        }, TIDY_MS);
        server.close(() => {
          clearTimeout(force);
          clearInterval(tidy);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** What is no HTTP never reaches a handler; the parser's reason becomes an answer of the usual form. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const known =
    MALFORMED[error.code ?? ''] ?? new HttpError(400, 'request_malformed', 'The request is not valid HTTP.');
  const requestId = chooseRequestId(undefined);
  const { headers, body = '' } = answerProblem(known, requestId);
  const head = {
    ...SECURITY_HEADERS,
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': String(body.length),
  };
  const lines = Object.entries({ ...head, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${known.status} ${STATUS_CODES[known.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

function cutSilent(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
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
