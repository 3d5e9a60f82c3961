import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { waitUntil } from './wait-until.ts';

const SERVER = fileURLToPath(new URL('../fixtures/mcp-server.mjs', import.meta.url));

/** Starts the MCP server of the tests on this machine until the test ends; answers its URL. */
export async function startMcpFixture(): Promise<string> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [SERVER, 'http', String(port)], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/mcp`;
  await waitUntil(async () => (await callMcp(url, 'ping')) !== undefined, 'the server answers');
  return url;
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Asks an MCP server one thing in a session of its own. */
export async function callTool(url: string, name: string, args: Readonly<Record<string, unknown>> = {}) {
  const { session } = await post(url, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const { body } = await post(url, 'tools/call', { name, arguments: args }, session);
  return body;
}

async function callMcp(url: string, method: string) {
  return (await post(url, method, {})).body;
}

async function post(url: string, method: string, params: unknown, session?: string) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { body: await answer.text(), session: answer.headers.get('mcp-session-id') ?? undefined };
}
