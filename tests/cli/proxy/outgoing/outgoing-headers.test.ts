import { afterEach, describe, expect, it } from 'vitest';
import { createOutgoingHeadersContribution } from '../../../../cli/proxy/outgoing/create-outgoing-headers-contribution.ts';
import { proves } from '../../../requirements/proves.ts';
import { speakMcp, startServer } from '../mcp-server.ts';
import { secretsOf } from '../secrets-of.ts';
import { startTestProxy } from '../start-test-proxy.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('headers for the server', () => {
  it(`${proves('R-5.2-16', 'R-5.2-17', 'K-8.7-12')} come from flags and secrets, and win over the client's`, async () => {
    const server = await startServer(speakMcp());
    closing.push(() => server.close());
    const proxy = await startTestProxy({
      target: `${server.origin}/mcp`,
      plan: { forwardHeaders: { plain: { 'X-Team': 'blue' }, secret: { 'X-Api-Key': 'key' } } },
      backend: { credentials: async () => ({ 'x-team': 'credentials', authorization: 'Bearer ours' }) },
      contributions: async (plan) => [
        await createOutgoingHeadersContribution(plan, secretsOf({ key: 's3cret\n' })),
      ],
    });
    closing.push(() => proxy.close());
    await proxy.send({
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { 'x-team': 'red', 'X-API-KEY': 'none', authorization: 'Bearer client' },
    });
    expect(server.seen[0]?.headers).toMatchObject({
      'x-team': 'blue',
      'x-api-key': 's3cret',
      authorization: 'Bearer ours',
    });
  });

  it('need their secrets, on one line', async () => {
    const forwardHeaders = { plain: {}, secret: { 'X-Key': 'key' } };
    await expect(createOutgoingHeadersContribution({ forwardHeaders }, secretsOf({}))).rejects.toMatchObject({
      code: 'secret_missing',
    });
    await expect(
      createOutgoingHeadersContribution({ forwardHeaders }, secretsOf({ key: 'a\r\nb' })),
    ).rejects.toMatchObject({ code: 'secret_unusable' });
    expect(await createOutgoingHeadersContribution({}, secretsOf({}))).toBeUndefined();
  });
});
