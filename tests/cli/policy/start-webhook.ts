import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { startServer } from '../proxy/mcp-server.ts';

export interface WebhookCall {
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly payload: any;
}

export interface TestWebhook {
  readonly url: string;
  readonly calls: WebhookCall[];
}

/** The members of a decision beside `uid` and `allowed`; a function answers itself. */
export type Decide = (call: WebhookCall) => object | ((response: ServerResponse) => void);

/** A receiver of webhooks on loopback, for as long as the running test. Allows everything unless told otherwise. */
export async function startWebhook(decide: Decide = () => ({}), tls?: ServerOptions): Promise<TestWebhook> {
  const calls: WebhookCall[] = [];
  const take = (headers: IncomingMessage['headers'], raw: string, response: ServerResponse): void => {
    const call = { headers, raw, payload: JSON.parse(raw) };
    calls.push(call);
    const decision = decide(call);
    if (typeof decision === 'function') {
      decision(response);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ version: 'v0.1.0', uid: call.payload.uid, allowed: true, ...decision }));
  };
  if (tls === undefined) {
    const server = await startServer((request, response, body) =>
      take(request.headers, body.toString(), response),
    );
    onTestFinished(() => server.close());
    return { url: `${server.origin}/hook`, calls };
  }
  const server = createTlsServer(tls, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    take(request.headers, Buffer.concat(chunks).toString(), response);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, calls };
}

/** A webhook of a plan that may be called over plain http. */
export const hook = (url: string, more: object = {}) => ({
  name: 'hook',
  url,
  tls_config: { insecure_skip_verify: true },
  ...more,
});
