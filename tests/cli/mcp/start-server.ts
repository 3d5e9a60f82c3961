import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Seen {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (seen: Seen, response: ServerResponse) => void;

/** An HTTP server on loopback as long as the running test, which keeps what it was asked. */
export async function startServer(handler: Handler) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const one = {
      method: request.method,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    seen.push(one);
    handler(one, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, server, origin: `http://127.0.0.1:${port}` };
}

/** Answers with a JSON text. */
export function answerJson(
  response: ServerResponse,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
}

/** Begins an event stream. */
export function beginEvents(response: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
  return response;
}
