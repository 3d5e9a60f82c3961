import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CALL } from './measure.ts';

/**
 * Calls a server on standard streams with nothing between, so many calls under way at any time.
 *
 * @param command arguments of Node
 * @returns calls a second
 */
export async function measurePipe(
  command: readonly string[],
  clients: number,
  calls: number,
  tool: string,
): Promise<number> {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const lines = createInterface({ input: child.stdout });
    const clientInfo = { name: 'bench', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ jsonrpc: '2.0', id: 'i', method: 'initialize', params });
    await once(lines, 'line');
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = { ...CALL, params: { ...CALL.params, name: tool } };
    let sent = 0;
    const next = () => send({ jsonrpc: '2.0', id: ++sent, ...call });
    const run = (count: number) =>
      new Promise<void>((resolve, reject) => {
        let left = count;
        const until = sent + count;
        const take = (line: string) => {
          if (!line.includes('"result"')) reject(new Error(`A call failed: ${line.slice(0, 200)}`));
          left -= 1;
          if (sent < until) next();
          if (left > 0) return;
          lines.off('line', take);
          resolve();
        };
        lines.on('line', take);
        for (let started = 0; started < Math.min(clients, count); started++) next();
      });
    await run(Math.ceil(calls / 4));
    const begun = performance.now();
    await run(calls);
    return calls / ((performance.now() - begun) / 1000);
  } finally {
    child.kill('SIGKILL');
  }
}
