import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Measured, measure } from './measure.ts';

/**
 * Measures what the proxy of a workload costs, against the server without it (npx tsx tests/bench/proxy/run.ts).
 * Server and proxy are processes of their own. Targets: one client waits at most 0.4 ms longer at the median and 2 ms
 * at the 99th percentile, and 32 clients get at least half of the rate.
 */
const ONE_CLIENT_CALLS = 4000;
const MANY_CALLS = 20_000;
const CLIENTS = 32;

const children: ChildProcess[] = [];
async function start(file: string, ...args: readonly string[]): Promise<number> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ['--import', 'tsx'] });
  children.push(child);
  const [port] = await once(child, 'message');
  return Number(port);
}

const show = (name: string, { p50, p99, rate }: Measured): void =>
  console.log(
    `${name.padEnd(28)} p50 ${p50.toFixed(3)} ms   p99 ${p99.toFixed(3)} ms   ${Math.round(rate)}/s`,
  );

const server = await start('./echo-server.ts');
const target = `http://127.0.0.1:${server}/mcp`;
const proxies = {
  'proxy, streaming': await start('./proxy-process.ts', target),
  'proxy, with a tool filter': await start('./proxy-process.ts', target, 'filtered'),
};
try {
  for (const port of [server, ...Object.values(proxies)]) await measure(port, CLIENTS, MANY_CALLS / 4);
  const direct = {
    one: await measure(server, 1, ONE_CLIENT_CALLS),
    many: await measure(server, CLIENTS, MANY_CALLS),
  };
  show('direct, 1 client', direct.one);
  show(`direct, ${CLIENTS} clients`, direct.many);
  for (const [name, port] of Object.entries(proxies)) {
    const one = await measure(port, 1, ONE_CLIENT_CALLS);
    const many = await measure(port, CLIENTS, MANY_CALLS);
    show(`${name}, 1 client`, one);
    show(`${name}, ${CLIENTS} clients`, many);
    const added = [one.p50 - direct.one.p50, one.p99 - direct.one.p99].map((ms) => ms.toFixed(3));
    console.log(
      `  added p50 ${added[0]} ms, p99 ${added[1]} ms; rate ${(many.rate / direct.many.rate).toFixed(2)} of direct`,
    );
  }
} finally {
  for (const child of children) child.disconnect();
}
