// Publishes (see publish.ts) until it is told to end, and prints how it went.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { makeServer } from '../catalog/make-server.ts';
import { median } from '../median.ts';
import { type PublishLoad, WARM_PUBLISHES } from './publish.ts';

const { origin, token, claims, writers, perSecond, prefix }: PublishLoad = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const agent = new Agent({ keepAlive: true, maxSockets: writers });
let number = 0;
let failed = 0;
let begun = 0;
let ended = false;
const took: number[] = [];

/** One entry nobody published, and what was answered. */
function publishNext(): Promise<number> {
  const server = { ...makeServer(++number, '1.0.0'), name: `${prefix}-${number}` };
  const body = JSON.stringify({ server, claims });
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}/v1/entries`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asking.once('error', reject);
    asking.end(body);
  });
}

async function publishTimed(): Promise<void> {
  const before = performance.now();
  const status = await publishNext().catch(() => 0);
  if (status === 201) took.push(performance.now() - before);
  else failed++;
}

async function publishForever(): Promise<void> {
  while (!ended) await publishTimed();
}

const untilTold = new Promise<void>((resolve) =>
  process.once('SIGTERM', () => {
    ended = true;
    resolve();
  }),
);
for (let warm = 0; warm < WARM_PUBLISHES; warm++) {
  if ((await publishNext()) !== 201) throw new Error('a publish was refused');
}
begun = performance.now();
console.log('ready');
const underWay: Promise<void>[] = [];
if (perSecond === undefined) {
  underWay.push(...Array.from({ length: writers }, publishForever));
} else {
  // Whether the ones before were answered or not: a slow server gets no rest.
  const pace = setInterval(() => underWay.push(publishTimed()), 1000 / perSecond);
  void untilTold.then(() => clearInterval(pace));
}
await untilTold;
const seconds = (performance.now() - begun) / 1000;
const answered = took.length;
await Promise.all(underWay);
agent.destroy();
took.sort((a, b) => a - b);
const result = {
  answered,
  perSecond: answered / seconds,
  failed,
  p50: median(took),
  p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
};
console.log(`RESULT ${JSON.stringify(result)}`);
