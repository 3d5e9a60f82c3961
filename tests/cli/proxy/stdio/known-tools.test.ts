import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { proves } from '../../../requirements/proves.ts';
import { postModern } from './mcp-client.ts';
import { type StdioProxy, startStdioProxy } from './start-stdio-proxy.ts';

const SERVER = fileURLToPath(new URL('../../../fixtures/header-tool-server.mjs', import.meta.url));
let proxy: StdioProxy;
afterEach(() => proxy.close());

async function take(headers: Readonly<Record<string, string>>): Promise<{ status: number; told: unknown }> {
  const call = { name: 'take', arguments: { region: 'eu' } };
  const answer = await postModern(proxy.url, 'tools/call', call, { headers });
  const { result, error } = await answer.last();
  return { status: answer.status, told: error?.code ?? result.content[0].text };
}

describe('arguments that are repeated in headers', () => {
  it(`${proves('K-8.5-15')} are checked for servers without headers, as their tools are just now`, async () => {
    proxy = await startStdioProxy({ server: [SERVER] });
    expect(await take({})).toEqual({ status: 400, told: -32020 });
    expect(await take({ 'mcp-param-region': 'us' })).toEqual({ status: 400, told: -32020 });
    const { told: listed } = await take({ 'mcp-param-region': 'eu' });
    expect(await take({ 'mcp-param-region': '=?base64?ZXU=?=' })).toEqual({ status: 200, told: listed });
    await (await postModern(proxy.url, 'tools/call', { name: 'forget', arguments: {} })).last();
    expect(await take({})).toEqual({ status: 200, told: String(Number(listed) + 1) });
    expect(await take({ 'mcp-param-region': 'us' })).toMatchObject({ status: 200 });
  });

  it('are not asked for where the server does not say which they are', async () => {
    proxy = await startStdioProxy({ server: [SERVER], flags: ['--silent'] });
    expect(await take({})).toEqual({ status: 200, told: '1' });
    expect(await take({})).toEqual({ status: 200, told: '1' });
  });
});
