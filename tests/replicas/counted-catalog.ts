import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeCatalog } from '../support/catalogs.ts';

/** A catalog on loopback that counts how often it is fetched. */
export interface CountedCatalog {
  readonly url: string;
  /** When each fetch came (ms). */
  readonly fetches: readonly number[];
  serve(...names: string[]): void;
}

export async function startCatalog(...names: string[]): Promise<CountedCatalog> {
  let text = makeCatalog(names);
  const fetches: number[] = [];
  const server = createServer((_request, response) => {
    fetches.push(performance.now());
    response.setHeader('Content-Type', 'application/json').end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/registry.json`,
    fetches,
    serve: (...next) => {
      text = makeCatalog(next);
    },
  };
}
