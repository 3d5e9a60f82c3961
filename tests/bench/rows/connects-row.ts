import { fileURLToPath } from 'node:url';
import { Agent, type Dispatcher, request } from 'undici';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import type { Held } from '../proxy/report-held.ts';
import { type Child, startChild } from '../proxy/start-child.ts';

const MOST_GROWTH_MB = 1;
const AT_ONCE = 20;
/** Longer than the proxy keeps a connection to the server that nobody uses. */
const IDLE_MS = 6_000;
const SETTLED_MS = 15_000;
const SERVER = fileURLToPath(new URL('../../conformance/server/serve-stdio.ts', import.meta.url));
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

/** Clients that connect, open a stream, and go: what the proxy holds afterwards, against what it held before. */
export const connectsRow: Row = {
  name: 'connects',
  async measure(context): Promise<readonly Outcome[]> {
    const server = await startChild('../../conformance/server/serve-http.ts');
    const http = await startChild('./proxy-process.ts', `http://127.0.0.1:${server.port}/mcp`);
    const stdio = await startChild('./stdio-proxy-process.ts', '--import', 'tsx', SERVER);
    try {
      return [...(await watch(context, 'streamable HTTP', http)), ...(await watch(context, 'stdio', stdio))];
    } finally {
      for (const child of [stdio, http, server]) await child.stop();
    }
  },
};

async function watch({ scale }: BenchContext, what: string, proxy: Child): Promise<readonly Outcome[]> {
  await connectOften(proxy.port, scale.connects);
  const before = await settle(proxy, undefined);
  await connectOften(proxy.port, scale.connects);
  const after = await settle(proxy, before);
  const grown = (after.heap - before.heap) / 2 ** 20;
  const clients = scale.connects.toLocaleString('en-US');
  return [
    {
      what: `${clients} clients came and went, ${what}: open files and sockets; timers and streams`,
      measured: `${before.descriptors} to ${after.descriptors}; ${before.resources} to ${after.resources}`,
      target: 'no growth',
      isMet: after.descriptors <= before.descriptors && after.resources <= before.resources,
    },
    {
      what: `${clients} clients came and went, ${what}: memory in use`,
      measured: `${(before.heap / 2 ** 20).toFixed(1)} MB to ${(after.heap / 2 ** 20).toFixed(1)} MB`,
      target: `grown by < ${MOST_GROWTH_MB} MB`,
      isMet: grown < MOST_GROWTH_MB,
    },
  ];
}

/** Sockets are closed a moment after their clients are gone, connections to a server some seconds after. */
async function settle(proxy: Child, before: Held | undefined): Promise<Held> {
  const end = performance.now() + (before === undefined ? IDLE_MS : SETTLED_MS);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const held = await proxy.look();
    const isBack =
      before !== undefined && held.resources <= before.resources && held.descriptors <= before.descriptors;
    if (isBack || performance.now() > end) return held;
  }
}

async function connectOften(port: number, clients: number): Promise<void> {
  let left = clients;
  const worker = async () => {
    while (left-- > 0) await connectOnce(`http://127.0.0.1:${port}/mcp`, left % 2 === 0);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** One client with connections of its own. @param isCut whether its stream is open when it goes */
async function connectOnce(url: string, isCut: boolean): Promise<void> {
  const agent = new Agent();
  const opened = await request(url, {
    method: 'POST',
    headers: HEADERS,
    body: INITIALIZE,
    dispatcher: agent,
  });
  await opened.body.dump();
  const session = { ...HEADERS, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const stream = await openStream(url, session, agent);
  if (!isCut) stream.body.destroy();
  const closed = await request(url, { method: 'DELETE', headers: session, dispatcher: agent });
  await closed.body.dump();
  await agent.destroy();
}

async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
): Promise<Dispatcher.ResponseData> {
  const stream = await request(url, { method: 'GET', headers, dispatcher });
  // Its end is what is measured, and no failure.
  stream.body.on('error', () => undefined);
  if (stream.statusCode !== 200) throw new Error(`A stream was answered with ${stream.statusCode}.`);
  return stream;
}
