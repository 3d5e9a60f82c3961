import { describe, expect, it } from 'vitest';
import type { PlanInput } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';
import { call } from '../proxy/start-test-proxy.ts';
import { list, openKeys, startGoverned, tokenOf, trusting } from './start-governed-proxy.ts';
import { hook, startWebhook } from './start-webhook.ts';

const PERMIT = 'permit(principal, action, resource);';
const cedar = (...policies: string[]) => ({ version: '1', type: 'cedarv1', cedar: { policies } });

describe('the order of the chain', () => {
  it('keeps a mutating webhook away from a tool that is filtered', async () => {
    const webhook = await startWebhook(() => ({
      patch_type: 'json_patch',
      patch: [{ op: 'replace', path: '/mcp_request/params/name', value: 'drop' }],
    }));
    const judging = await startWebhook();
    const { proxy, server, audited } = await startGoverned({
      plan: {
        audit: {},
        tools: { allow: ['echo'] },
        webhooks: { mutating: [hook(webhook.url)], validating: [hook(judging.url)] },
      },
    });
    const reply = await proxy.send({ body: call(1, 'echo') });
    expect(reply.json).toMatchObject({ id: 1, error: { code: -32602 } });
    expect([webhook.calls.length, judging.calls.length, server.seen.length]).toEqual([1, 0, 0]);
    expect((await proxy.send({ body: call(2, 'drop') })).json.error.code).toBe(-32602);
    expect(webhook.calls).toHaveLength(1);
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(['denied', 'denied']);
  });

  it('filters the list that a mutating webhook made of another request', async () => {
    const webhook = await startWebhook(() => ({
      patch_type: 'json_patch',
      patch: [
        { op: 'replace', path: '/mcp_request/method', value: 'tools/list' },
        { op: 'replace', path: '/mcp_request/params', value: {} },
      ],
    }));
    const { proxy } = await startGoverned({
      plan: { tools: { allow: ['echo'] }, webhooks: { mutating: [hook(webhook.url)], validating: [] } },
    });
    const { json } = await proxy.send({ body: call(1, 'echo') });
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['echo']);
  });

  it('judges what a mutating webhook made of the request', async () => {
    const webhook = await startWebhook(({ payload }) =>
      payload.mcp_request.params?.arguments?.to === undefined
        ? {}
        : {
            patch_type: 'json_patch',
            patch: [{ op: 'replace', path: '/mcp_request/params/arguments/to', value: 'mallory' }],
          },
    );
    const { proxy, server } = await startGoverned({
      plan: {
        webhooks: { mutating: [hook(webhook.url)] },
        authz: cedar('permit(principal, action, resource) when { context.arg_to == "ann" };'),
      },
    });
    expect((await proxy.send({ body: call(1, 'echo', { to: 'ann' }) })).status).toBe(403);
    expect(server.seen).toHaveLength(0);
  });

  it(`${proves('K-8.7-09')} tells a stranger nothing: no webhook, no list, no server, no exchange`, async () => {
    const keys = await openKeys();
    const webhook = await startWebhook();
    const plan: Partial<PlanInput> = {
      ...trusting(keys),
      audit: {},
      tools: { allow: ['echo'] },
      webhooks: { mutating: [hook(webhook.url)], validating: [hook(webhook.url)] },
      authz: cedar('permit(principal, action, resource) when { resource.readOnlyHint };'),
      tokenExchange: { url: `${keys.url}/nothing` },
    };
    const { proxy, server, audited } = await startGoverned({ plan });
    const replies = [];
    for (const body of [
      call(1, 'echo'),
      call(1, 'drop'),
      call(1, 'no-such'),
      list(),
      'no json',
      list(1, 'x/y'),
    ]) {
      const { status, text, headers } = await proxy.send({ body });
      replies.push({
        status,
        text: text.replace(/"(request_?id|instance)":"[^"]*"/gi, ''),
        challenge: headers['www-authenticate'],
      });
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(replies[0]?.status).toBe(401);
    expect(webhook.calls).toHaveLength(0);
    expect(server.seen).toHaveLength(0);
    expect((await audited()).map(({ type, outcome }) => `${type} ${outcome}`)).toEqual(
      Array.from({ length: 6 }, () => 'auth.unauthenticated denied'),
    );
  });

  it('calls validating webhooks before policy, and exchanges no token for what either denies', async () => {
    const keys = await openKeys();
    const webhook = await startWebhook(({ payload }) => ({
      allowed: payload.mcp_request.params.name !== 'bad',
    }));
    const { proxy } = await startGoverned({
      plan: {
        ...trusting(keys),
        webhooks: { validating: [hook(webhook.url)] },
        authz: cedar(PERMIT, 'forbid(principal, action, resource == Tool::"drop");'),
        tokenExchange: { url: `${keys.url}/introspect` },
      },
    });
    const asked = keys.asked.length;
    for (const name of ['bad', 'drop']) {
      expect((await proxy.send({ headers: await tokenOf(keys), body: call(1, name) })).status).toBe(403);
    }
    expect(webhook.calls).toHaveLength(2);
    expect(keys.asked.slice(asked).map(({ path }) => path)).not.toContain('/introspect');
  });

  it('never writes a token or secret down', async () => {
    const keys = await openKeys();
    const webhook = await startWebhook();
    const { proxy, server, audited } = await startGoverned({
      plan: {
        ...trusting(keys),
        audit: { includeRequestData: true, includeResponseData: true, maxDataSize: 100_000 },
        webhooks: { validating: [hook(webhook.url, { hmac_secret_ref: 'signing' })] },
        authz: cedar(PERMIT),
      },
      secrets: { signing: 'hush-signing' },
    });
    const headers = await tokenOf(keys);
    await proxy.send({
      headers,
      body: call(1, 'echo', { token: headers.authorization, text: headers.authorization }),
    });
    expect(server.seen).toHaveLength(1);
    const kept = JSON.stringify([await audited(), proxy.logged]);
    expect(kept).not.toContain(headers.authorization.slice(7, 40));
    expect(kept).not.toContain('hush-signing');
  });
});
