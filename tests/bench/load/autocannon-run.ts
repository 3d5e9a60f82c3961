// Runs one load (a JSON file) with autocannon and prints its result: a process of its own, so that it can be pinned.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';

const load: Load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
let next = 0;
const result = await autocannon({
  url: load.origin,
  connections: load.connections,
  duration: load.seconds,
  // Connections share one sequence, so that no request is repeated before all were sent.
  setupClient: (client) => {
    const advance = () => {
      const request = load.requests[next++ % load.requests.length];
      if (request) client.setRequest({ method: 'GET', path: request.path, headers: { ...request.headers } });
    };
    advance();
    client.on('response', advance);
  },
});
const answer: LoadResult = {
  requests: result.requests.total,
  perSecond: result.requests.average,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failed: result.errors + result['4xx'] + result['5xx'],
};
process.stdout.write(JSON.stringify(answer));
