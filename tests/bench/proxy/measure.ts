import { Pool } from 'undici';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(200) } },
});
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export interface Measured {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Calls a second. */
  readonly rate: number;
}

/** Calls a URL from so many clients, each with one call after the other. @throws when a call fails */
export async function measure(port: number, clients: number, calls: number): Promise<Measured> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: clients, pipelining: 1 });
  const times: number[] = [];
  const call = async (): Promise<void> => {
    const from = performance.now();
    const { statusCode, body } = await pool.request({
      path: '/mcp',
      method: 'POST',
      headers: HEADERS,
      body: CALL,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`A call was answered with ${statusCode}.`);
    times.push(performance.now() - from);
  };
  const from = performance.now();
  const client = async (): Promise<void> => {
    for (let done = 0; done < calls / clients; done += 1) await call();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - from) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (part: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), rate: times.length / seconds };
}
