import { describe, expect, it } from 'vitest';
import type { Grant, GrantStore } from '../../../cli/remote/grant.ts';
import { openGrantStore } from '../../../cli/remote/grant.ts';
import { createGrantKeeper } from '../../../cli/remote/grant-keeper.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startAuthorizationServer, type TestAuthorizationServer } from './authorization-server.ts';
import { memorySecrets } from './remote-plan.ts';

const START = 1_000_000;
const HOUR = 3_600_000;

interface Kept {
  readonly as: TestAuthorizationServer;
  readonly store: GrantStore;
  readonly grant: Grant;
  readonly keeper: ReturnType<typeof createGrantKeeper>;
  now: number;
}

async function keep(more: Partial<Grant> = {}): Promise<Kept> {
  const as = await startAuthorizationServer({ expiresIn: 3600 });
  as.refreshes.add('rt-first');
  const grant: Grant = {
    issuer: as.issuer,
    tokenEndpoint: `${as.issuer}/token`,
    clientId: 'c',
    authMethod: 'none',
    resource: 'https://far.example/mcp',
    accessToken: 'at-first',
    expiresAt: START + HOUR,
    refreshToken: 'rt-first',
    ...more,
  };
  const store = openGrantStore(memorySecrets(), 'grant');
  await store.save(grant);
  const kept = { as, store, grant, now: START };
  const keeper = createGrantKeeper(grant, { store, fetch, now: () => kept.now, log: () => {} });
  return Object.assign(kept, { keeper });
}

describe('keeping a grant', () => {
  it(`${proves('K-6-09')} renews ahead of the end while the old token still serves`, async () => {
    const kept = await keep();
    kept.now = START + HOUR - 61_000;
    expect(await kept.keeper.token()).toBe('at-first');
    expect(kept.as.tokens).toHaveLength(0);
    kept.now = START + HOUR - 30_000;
    expect(await kept.keeper.token()).toBe('at-first');
    const renewed = await waitUntil(async () => {
      const token = await kept.keeper.token();
      return token === 'at-first' ? undefined : token;
    }, 'a new token');
    expect(kept.as.valid.has(renewed)).toBe(true);
    expect(kept.as.tokens).toHaveLength(1);
  });

  it('does not send a token that may end on the way', async () => {
    const kept = await keep();
    kept.now = START + HOUR - 1_000;
    expect(await kept.keeper.token()).not.toBe('at-first');
  });

  it('measures short lives by their length', async () => {
    const kept = await keep({ expiresAt: START + 10_000 });
    kept.now = START + 7_000;
    expect(await kept.keeper.token()).toBe('at-first');
    kept.now = START + 9_500;
    expect(await kept.keeper.token()).not.toBe('at-first');
    expect(kept.as.tokens).toHaveLength(1);
  });

  it(`${proves('K-6-09')} renews once for all who ask at the same time`, async () => {
    const kept = await keep();
    kept.now = START + 2 * HOUR;
    const tokens = await Promise.all(Array.from({ length: 20 }, () => kept.keeper.token()));
    expect(new Set(tokens).size).toBe(1);
    expect(kept.as.tokens).toHaveLength(1);
  });

  it(`${proves('K-6-06')} names the resource when it renews, and keeps the rotated refresh token first`, async () => {
    const kept = await keep();
    kept.now = START + 2 * HOUR;
    const token = await kept.keeper.token();
    expect(kept.as.tokens[0]).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'rt-first',
      resource: 'https://far.example/mcp',
    });
    const stored = await kept.store.load();
    expect(stored?.accessToken).toBe(token);
    expect([...kept.as.refreshes]).toEqual([stored?.refreshToken]);
    kept.now += 2 * HOUR;
    await kept.keeper.token();
    expect(kept.as.tokens[1]?.refresh_token).toBe(stored?.refreshToken);
  });

  it.each([
    ['an error of the server', async () => ({ status: 503, body: 'no' })],
    ['too many requests', async () => ({ status: 429, body: { error: 'slow_down' } })],
    ['nonsense', async () => ({ status: 200, body: '<html>' })],
  ])('takes %s for something that passes', async (_, gate) => {
    const kept = await keep();
    kept.as.gate = gate;
    kept.now = START + 2 * HOUR;
    await expect(kept.keeper.token()).rejects.toMatchObject({ code: 'remote_auth_unavailable' });
    kept.as.gate = undefined;
    expect(kept.as.valid.has(await kept.keeper.token())).toBe(true);
  });

  it('uses what is left of a token while the server is away', async () => {
    const kept = await keep();
    kept.as.gate = async () => ({ status: 503 });
    kept.now = START + HOUR - 1_000;
    expect(await kept.keeper.token()).toBe('at-first');
  });

  it.each([
    ['invalid_grant', { status: 400, body: { error: 'invalid_grant' } }],
    [
      'invalid_client',
      { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } },
    ],
  ])(`${proves('K-6-12')} takes %s for the end, and asks no more`, async (why, answer) => {
    const kept = await keep();
    kept.as.gate = async () => answer;
    kept.now = START + 2 * HOUR;
    for (let time = 0; time < 2; time += 1) {
      await expect(kept.keeper.token()).rejects.toMatchObject({
        code: 'remote_auth_lost',
        message: expect.stringContaining(why),
      });
    }
    expect(kept.as.tokens).toHaveLength(1);
  });

  it('takes what another process of ours got with the same refresh token', async () => {
    const kept = await keep();
    kept.as.refreshes.clear();
    await kept.store.save({
      ...kept.grant,
      accessToken: 'at-other',
      refreshToken: 'rt-other',
      expiresAt: START + 3 * HOUR,
    });
    kept.now = START + 2 * HOUR;
    expect(await kept.keeper.token()).toBe('at-other');
    expect(await kept.keeper.token()).toBe('at-other');
    expect(kept.as.tokens).toHaveLength(1);
  });

  it('cannot renew what came without a refresh token', async () => {
    const kept = await keep({ refreshToken: undefined });
    kept.now = START + HOUR - 500;
    expect(await kept.keeper.token()).toBe('at-first');
    kept.now = START + HOUR;
    await expect(kept.keeper.token()).rejects.toMatchObject({ code: 'remote_auth_lost' });
  });

  it(`${proves('K-6-10')} shows to one issuer nothing of another`, async () => {
    const kept = await keep();
    await kept.store.save({ ...kept.grant, issuer: 'https://new.example', refreshToken: 'rt-new' });
    expect((await kept.store.load())?.refreshToken).toBe('rt-new');
    await kept.store.save({ ...kept.grant, accessToken: 'at-again' });
    expect(await kept.store.load()).toMatchObject({ issuer: kept.as.issuer, refreshToken: 'rt-first' });
  });
});
