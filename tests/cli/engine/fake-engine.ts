import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';

/** Listens as an engine would, until the test ends. */
export async function startFakeEngine(
  socketPath: string,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response.end('OK'),
): Promise<{ stop(): Promise<void> }> {
  mkdirSync(dirname(socketPath), { recursive: true });
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { stop };
}
