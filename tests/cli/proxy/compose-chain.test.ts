import { afterEach, describe, expect, it } from 'vitest';
import { CHAIN_ORDER, type Contribution, type Stage, type StageName } from '../../../cli/proxy/exchange.ts';
import { proves } from '../../requirements/proves.ts';
import { speakMcp, startServer } from './mcp-server.ts';
import { startTestProxy } from './start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('the chain', () => {
  it(`${proves('K-5-22')} has its links in the documented order, whatever order they come in`, async () => {
    const passed: string[] = [];
    const link = (name: StageName): Contribution => {
      const stage: Stage = async (exchange, next) => {
        passed.push(`${name}${exchange.mcp === undefined ? '' : ' parsed'}`);
        await next();
      };
      return { stages: { [name]: stage }, needsMcp: true, close: async () => undefined };
    };
    const server = await startServer(speakMcp());
    closing.push(() => server.close());
    const own: readonly string[] = ['body-limit', 'recovery', 'origin', 'mcp'];
    const names = CHAIN_ORDER.filter((name) => !own.includes(name));
    const proxy = await startTestProxy({
      target: `${server.origin}/mcp`,
      contributions: () => names.toReversed().map(link),
    });
    closing.push(() => proxy.close());
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await proxy.send({ body: ping })).status).toBe(200);
    expect(passed).toEqual([
      'audit',
      'telemetry',
      'authentication',
      'tools parsed',
      'mutating-webhooks parsed',
      'tools-again parsed',
      'validating-webhooks parsed',
      'authorization parsed',
      'token-exchange parsed',
      'outgoing-headers parsed',
    ]);
    // Body limit, host and origin stand before all of them, recovery around them.
    passed.length = 0;
    expect((await proxy.send({ body: ping, headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect(
      (
        await proxy.send({
          body: 'a'.repeat(8 * 1024 * 1024 + 1),
          headers: { origin: 'http://evil.example' },
        })
      ).status,
    ).toBe(413);
    expect(passed).toEqual([]);
    // Nobody judges what cannot be read.
    expect((await proxy.send({ body: 'no json' })).json.error.code).toBe(-32700);
    expect(passed).toEqual(['audit', 'telemetry', 'authentication']);
  });

  it('hands a body to the server unread when no link reads it', async () => {
    const server = await startServer(
      (_request, response) => void response.writeHead(400).end('{"error":"yours"}'),
    );
    closing.push(() => server.close());
    const proxy = await startTestProxy({ target: `${server.origin}/mcp` });
    closing.push(() => proxy.close());
    expect((await proxy.send({ body: 'no json' })).text).toBe('{"error":"yours"}');
    expect(server.seen[0]?.body).toBe('no json');
  });
});
