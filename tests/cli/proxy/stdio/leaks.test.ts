import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contribution } from '../../../../cli/proxy/exchange.ts';
import { proves } from '../../../requirements/proves.ts';
import { connect, type McpClient } from './mcp-client.ts';
import { type StdioProxy, startStdioProxy } from './start-stdio-proxy.ts';

let proxy: StdioProxy;
beforeAll(async () => {
  proxy = await startStdioProxy();
});
afterAll(() => proxy.close());

const action = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom('echo', 'log', 'steps', 'sample', 'cancel', 'wrongAnswer', 'wrongCancel'),
  id: fc.constantFrom(1, 2, 'x', '1'),
});
let secrets = 0;

/** What this client does contains a word of its own, which nobody else may ever see. */
async function act(
  client: McpClient,
  others: readonly McpClient[],
  { what, id }: { what: string; id: string | number },
) {
  const secret = `secret-of-${client.name}-${++secrets}-`;
  switch (what) {
    case 'echo':
      return (await client.call('echo', { value: secret }, id)).last();
    case 'log':
      return (await client.call('log', { value: secret }, id)).last();
    case 'steps':
      return (
        await client.call('steps', { count: 3, ms: 1, tag: secret }, id, { progressToken: 'same' })
      ).last();
    case 'sample': {
      const answer = await client.call('sample', { question: secret }, id);
      const [asked] = await answer.until((messages) => messages.length > 0);
      if (asked.method === 'sampling/createMessage') {
        await client.post({ jsonrpc: '2.0', id: asked.id, result: { content: { text: secret } } });
      }
      return answer.last();
    }
    case 'cancel': {
      const call = client.call('steps', { count: 20, ms: 2, tag: secret }, `c${secret}`, {
        progressToken: 1,
      });
      const cancel = {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: `c${secret}` },
      };
      await (await call).until((messages) => messages.length > 0);
      await client.post(cancel);
      return (await call).last();
    }
    case 'wrongAnswer':
      for (const guess of [1, 2, 's1', 's2']) {
        await client.post({
          jsonrpc: '2.0',
          id: guess,
          result: { content: { text: `forged by ${client.name}` } },
        });
      }
      return others;
    default:
      return client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }
}

describe('clients of one process', () => {
  it(`${proves('K-5-07', 'K-5-04')} never see a word of one another, whatever they do at the same time`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (actions) => {
        const clients = await Promise.all(['ann', 'bob', 'cyd'].map((name) => connect(proxy.url, name)));
        const streams = await Promise.all(clients.map((client) => client.listen()));
        const byClient = clients.map((client, who) =>
          actions
            .filter((one) => one.who === who)
            .reduce<Promise<unknown>>(
              (before, one) => before.then(() => act(client, clients, one)),
              Promise.resolve(),
            ),
        );
        await Promise.all(byClient);
        for (const client of clients) {
          const foreign = clients.filter((other) => other !== client).map(({ name }) => name);
          for (const name of foreign) {
            expect(client.heard).not.toContain(`secret-of-${name}-`);
            expect(client.heard).not.toContain(`forged by ${name}`);
          }
          await client.end();
        }
        for (const stream of streams) stream.cut();
      }),
      { numRuns: 15 },
    );
    expect(proxy.backend.held).toMatchObject({ calls: 0, requests: 0, sessions: 0 });
  }, 60_000);

  it('lets filters and observers of the exchange see every message, on whatever stream it comes', async () => {
    const observed: string[] = [];
    const contribution: Contribution = {
      needsMcp: false,
      stages: {
        async tools(exchange, next) {
          exchange.answerFilters.push(async (message) =>
            Buffer.from(message.toString().replaceAll('visible', 'replaced')),
          );
          exchange.answerObservers.push((message) => void observed.push(message.toString()));
          await next();
        },
      },
      close: async () => undefined,
    };
    const filtered = await startStdioProxy({ contributions: [contribution] });
    try {
      const client = await connect(filtered.url);
      const stream = await client.listen();
      expect(await client.tool('echo', { value: 'visible' })).toBe('replaced');
      const steps = await client.call('steps', { count: 3, ms: 1, tag: 'visible' }, 1, { progressToken: 1 });
      await steps.last();
      expect(steps.messages.map(({ params }) => params?.progress)).toEqual([1, 2, 3, undefined]);
      await (await client.request('resources/subscribe', { uri: 'r://visible' })).last();
      await client.tool('touch', { uri: 'r://visible' });
      await stream.until((messages) => messages.length === 1);
      expect(client.heard).not.toContain('visible');
      expect(client.heard).toContain('r://replaced');
      expect(observed.some((message) => message.includes('r://replaced'))).toBe(true);
    } finally {
      await filtered.close();
    }
  });

  it('serves a stateless server by POST alone, without sessions and streams', async () => {
    const stateless = await startStdioProxy({ proxy: { stateless: true } });
    try {
      const client = await connect(stateless.url);
      expect(client.session).toBeUndefined();
      const steps = await client.call('steps', { count: 2, ms: 1, tag: 't' }, 1, { progressToken: 1 });
      expect(await steps.last()).toMatchObject({ id: 1, result: { content: [{ text: 'done t' }] } });
      expect(steps.isStream).toBe(false);
      expect((await client.listen()).status).toBe(405);
      expect(await client.end()).toBe(405);
      expect(stateless.backend.held).toMatchObject({ sessions: 0, calls: 0, waiting: 0 });
    } finally {
      await stateless.close();
    }
  });
});
