import { Pool } from 'undici';

/** The call of every measurement: 200 characters there. */
export const CALL = {
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(200) } },
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export interface Load {
  readonly port: number;
  /** How many call at the same time, each one call after the other. */
  readonly clients: number;
  /** Of all clients together. */
  readonly calls: number;
  /** Whether each client opens a session first. */
  readonly hasSessions?: boolean;
  /** The tool, when it is not `echo`. */
  readonly tool?: string;
}

export interface Measured {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Calls a second. */
  readonly rate: number;
}

/** Calls a URL from so many clients. @throws when a call fails */
export async function measure(load: Load): Promise<Measured> {
  const { port, clients, calls } = load;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: clients, pipelining: 1 });
  const post = async (message: unknown, headers: Readonly<Record<string, string>>) => {
    const body = JSON.stringify(message);
    const answer = await pool.request({
      path: '/mcp',
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`A call was answered with ${answer.statusCode}.`);
    return answer.headers;
  };
  const open = async (): Promise<Record<string, string>> => {
    if (!load.hasSessions) return {};
    const headers = await post({ jsonrpc: '2.0', id: 0, ...INITIALIZE }, {});
    return { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
  };
  try {
    const sessions = await Promise.all(Array.from({ length: clients }, open));
    const params = { ...CALL.params, name: load.tool ?? CALL.params.name };
    const message = { jsonrpc: '2.0', id: 1, ...CALL, params };
    const times: number[] = [];
    const begun = performance.now();
    await Promise.all(
      sessions.map(async (headers) => {
        for (let done = 0; done < calls / clients; done += 1) {
          const from = performance.now();
          await post(message, headers);
          times.push(performance.now() - from);
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    for (const headers of load.hasSessions ? sessions : []) {
      await (await pool.request({ path: '/mcp', method: 'DELETE', headers })).body.dump();
    }
    times.sort((a, b) => a - b);
    const at = (part: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), rate: times.length / seconds };
  } finally {
    await pool.close();
  }
}
