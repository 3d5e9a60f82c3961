import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server on loopback for the running test; objects are answered as JSON. Answers its origin. */
export async function serve(handle: (asked: Asked) => Answer | Promise<Answer>, port = 0): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const asked = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', `http://${request.headers.host}`),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      const { status = 200, headers = {}, body = '' } = await handle(asked);
      const isText = typeof body === 'string' || Buffer.isBuffer(body);
      response.writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: bound } = server.address() as AddressInfo;
  return `http://127.0.0.1:${bound}`;
}
