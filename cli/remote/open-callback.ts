import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatDuration } from '../../sources/config/duration.ts';
import { BerthError } from '../../sources/errors.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** The place a browser comes back to after a login. */
export interface Callback {
  readonly redirectUri: string;
  /** The parameters the browser brought. @throws BerthError `remote_auth_timeout`; the reason of the signal */
  wait(timeoutMs: number, signal: AbortSignal | undefined): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens for the answer of a login on `127.0.0.1` (contract 6). What does not carry our `state` is not that answer:
 * another page in the browser can neither end the login nor put in its own.
 * @param isFixed whether the redirect address is registered with a fixed client: a busy port is then an error,
 *   otherwise another one is taken
 * @throws BerthError `remote_auth_port_busy`
 */
export async function openCallback(port: number, isFixed: boolean, state: string): Promise<Callback> {
  const server = createServer();
  const bound = await listen(server, port).catch((cause: unknown) => {
    if (!isFixed) return listen(server, 0);
    throw new BerthError('remote_auth_port_busy', `The port ${port} for the login is in use.`, {
      at: { flag: '--remote-auth-callback-port' },
      fix: 'End what uses it, or choose a port that the client is registered with.',
      cause,
    });
  });
  const arrived = new Promise<URLSearchParams>((resolve) => {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', `http://${HOST}`);
      const failed = url.searchParams.has('error');
      const isAnswer =
        url.pathname === PATH &&
        url.searchParams.get('state') === state &&
        (url.searchParams.has('code') || failed);
      response.writeHead(isAnswer ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'referrer-policy': 'no-referrer',
        connection: 'close',
      });
      response.end(isAnswer ? showEnd(failed) : 'Not found');
      if (isAnswer) resolve(url.searchParams);
    });
  });
  return {
    redirectUri: `http://${HOST}:${bound}${PATH}`,
    async wait(timeoutMs, signal) {
      signal?.throwIfAborted();
      let timer: NodeJS.Timeout | undefined;
      let stop: () => void = () => {};
      const given = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooLate(timeoutMs)), timeoutMs);
        stop = () => reject(signal?.reason);
        signal?.addEventListener('abort', stop, { once: true });
      });
      try {
        return await Promise.race([arrived, given]);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function tooLate(timeoutMs: number): BerthError {
  return new BerthError(
    'remote_auth_timeout',
    `The login timed out: nobody came back within ${formatDuration(timeoutMs)}.`,
    {
      fix: 'Open the link sooner, or give more time (--remote-auth-timeout, for a registry --timeout).',
    },
  );
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.removeListener('error', reject);
      // A listening TCP server has an address of this form.
      const { port: bound } = server.address() as AddressInfo;
      resolve(bound);
    });
  });
}

function showEnd(failed: boolean): string {
  const text = failed
    ? 'The login was refused. The terminal says more.'
    : 'The login has arrived. You can close this page; the terminal says how it went.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Berth</title><body style="font-family:system-ui;margin:4rem auto;max-width:32rem"><h1>Berth</h1><p>${text}</p></body></html>`;
}
