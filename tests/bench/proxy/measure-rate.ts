import { Pool } from 'undici';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'x'.repeat(200) } },
});

/** Calls a second that so many clients get, each with one call after the other. @throws when a call fails */
export async function measureRate(
  port: number,
  load: { readonly clients: number; readonly calls: number; readonly token: string },
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: load.clients, pipelining: 1 });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${load.token}`,
  };
  const client = async (): Promise<void> => {
    for (let done = 0; done < load.calls / load.clients; done += 1) {
      const { statusCode, body } = await pool.request({ path: '/mcp', method: 'POST', headers, body: CALL });
      await body.dump();
      if (statusCode !== 200) throw new Error(`A call was answered with ${statusCode}.`);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: load.clients }, client));
  const rate = load.calls / ((performance.now() - from) / 1000);
  await pool.close();
  return rate;
}
