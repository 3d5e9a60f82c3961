import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider whose introspection answers only when it is told to: requests with a token stay under way. */
export interface HeldIntrospection {
  readonly provider: Readonly<Record<string, unknown>>;
  /** How many introspections wait for their answer. */
  waiting(): number;
  /** Answers all of them, and those to come at once, as active. */
  release(): void;
  close(): Promise<void>;
}

export async function startHeldIntrospection(): Promise<HeldIntrospection> {
  let held: ServerResponse[] = [];
  let open = false;
  const answer = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ active: true, sub: 'held', org: 'acme' }));
  };
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/introspect') return void response.writeHead(404).end('{}');
    if (open) answer(response);
    else held.push(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    provider: {
      name: 'held',
      issuerUrl: url,
      audience: 'any',
      introspectionUrl: `${url}/introspect`,
      allowPrivateIP: true,
    },
    waiting: () => held.length,
    release: () => {
      open = true;
      for (const response of held) answer(response);
      held = [];
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
