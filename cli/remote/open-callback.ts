import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BerthError } from '../../sources/errors.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** The place a browser comes back to after a login. */
export interface Callback {
  readonly redirectUri: string;
  /** The parameters the browser brought. @throws BerthError `remote_auth_timeout` */
  wait(timeoutMs: number): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens for the answer of a login on `127.0.0.1` (contract 6).
 * @param isFixed whether the redirect address is registered with a fixed client: a busy port is then an error,
 *   otherwise another one is taken
 * @throws BerthError `remote_auth_port_busy`
 */
export async function openCallback(port: number, isFixed: boolean): Promise<Callback> {
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
      const isAnswer =
        url.pathname === PATH && (url.searchParams.has('code') || url.searchParams.has('error'));
      const failed = url.searchParams.has('error');
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
    async wait(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(
            new BerthError('remote_auth_timeout', `Nobody logged in within ${timeoutMs / 1000} s.`, {
              at: { flag: '--remote-auth-timeout' },
              fix: 'Open the link sooner, or give more time with --remote-auth-timeout.',
            }),
          );
        }, timeoutMs);
      });
      try {
        return await Promise.race([arrived, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
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
    : 'You are logged in. You can close this page.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Berth</title><body style="font-family:system-ui;margin:4rem auto;max-width:32rem"><h1>Berth</h1><p>${text}</p></body></html>`;
}
