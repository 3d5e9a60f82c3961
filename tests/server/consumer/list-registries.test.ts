import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { AppEnv } from '../../../server/app-context.ts';
import type { Identity } from '../../../server/auth/identity.ts';
import { listRegistries } from '../../../server/consumer/list-registries.ts';
import { proves } from '../../requirements/proves.ts';
import { makeRuntime } from '../../support/consumer-bench.ts';
import { makeAnonymous, makeIdentity, makeSuperAdmin } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

async function list(identity: Identity, baseUrl?: string): Promise<{ response: Response; json: unknown }> {
  const segments = [await makeSegment('s', [])];
  const world = makeWorld({
    open: { segments, claims: { org: 'acme' }, description: 'For everyone in the house' },
    team: { segments, claims: { org: 'acme', team: ['blue', 'red'] } },
    bare: { segments },
  });
  const made = await makeRuntime(() => world);
  const config = {
    ...made.loaded.config,
    site: { ...made.loaded.config.site, ...(baseUrl ? { baseUrl } : {}) },
  };
  const runtime = { ...made, loaded: { ...made.loaded, config } };
  const app = new Hono<AppEnv>();
  app.get('/registry', (c) => {
    c.set('runtime', runtime);
    c.set('identity', identity);
    c.set('observed', { happened: { route: 'other' } });
    return listRegistries(c, { world });
  });
  const response = await app.request('http://localhost:8080/registry');
  return { response, json: await response.json() };
}

describe('GET /registry', () => {
  it(`${proves('C-5-02', 'S-5.10-01')} lists the registries the caller can reach, with description and address, and no other`, async () => {
    const open = {
      name: 'open',
      description: 'For everyone in the house',
      url: 'http://localhost:8080/registry/open',
    };
    const team = { name: 'team', url: 'http://localhost:8080/registry/team' };
    const bare = { name: 'bare', url: 'http://localhost:8080/registry/bare' };
    const seen = async (identity: Identity) => (await list(identity)).json;
    expect(await seen(makeIdentity({ org: 'acme' }))).toEqual({ registries: [open] });
    expect(await seen(makeIdentity({ org: 'acme', team: 'red' }))).toEqual({ registries: [open, team] });
    expect(await seen(makeIdentity({ org: 'umbra' }))).toEqual({ registries: [] });
    expect(await seen(makeSuperAdmin())).toEqual({ registries: [open, team, bare] });
    expect(await seen(makeAnonymous())).toEqual({ registries: [open, team, bare] });
  });

  it('gives the address clients are told to use', async () => {
    const { json } = await list(makeIdentity({ org: 'acme' }), 'https://registry.example/base/');
    expect(json).toMatchObject({ registries: [{ url: 'https://registry.example/base/registry/open' }] });
  });

  it('may be read from any origin and is kept for no other caller', async () => {
    const { response } = await list(makeIdentity({ org: 'acme' }));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toContain('Authorization');
  });
});
