import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { onTestFinished } from 'vitest';

/** PEM texts of a server that speaks https. */
export interface LoopbackTls {
  readonly key: string;
  readonly cert: string;
}

/** Starts an http server, https with `tls`, on a free loopback port for the running test and closes it afterwards. */
export async function startServer(
  listener: RequestListener,
  tls?: LoopbackTls,
): Promise<{ url: string; port: number; server: Server }> {
  const server = tls ? createTlsServer({ ...tls }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`, port: address.port, server };
}
