import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, keysOf, startBench } from '../../support/consumer-bench.ts';
import { makeServer, makeSkill } from '../../support/make-entry.ts';
import { makeAnonymous, makeIdentity, makeSuperAdmin } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const CALLERS = {
  blue: makeIdentity({ org: 'acme', team: ['blue', 'green'] }),
  red: makeIdentity({ org: 'acme', team: 'red' }),
  stranger: makeIdentity({ org: 'umbra' }),
  admin: makeSuperAdmin(),
  'auth-only': makeIdentity({}, { unrestricted: true }),
};

/** One registry for the organisation, one without claims, one of a team; each of three sources. */
async function start(): Promise<ConsumerBench> {
  const segments = [
    await makeSegment('team', [makeServer('a.team/x'), makeSkill('team/x')], {
      org: 'acme',
      team: ['blue', 'pink'],
    }),
    await makeSegment('all', [makeServer('b.all/x')], { org: 'acme' }),
    await makeSegment('bare', [makeServer('c.bare/x'), makeSkill('bare/x')]),
  ];
  const registries = {
    org: { segments, claims: { org: 'acme' } },
    bare: { segments },
    team: { segments, claims: { org: 'acme', team: ['red', 'pink'] } },
  };
  return startBench(makeWorld(registries), { callers: CALLERS });
}

const SKILLS = '/v0.1/x/dev.toolhive/skills';
const PATHS = [
  '',
  '/',
  '/v0.1/servers',
  '/v0/servers',
  '/v0.1/servers?limit=0',
  '/v0.1/servers/b.all%2Fx/versions',
  '/v0.1/servers/b.all%2Fx/versions/latest',
  '/v0.1/servers/%zz/versions',
  '/v0.1/nothing',
  '/%',
  SKILLS,
  `${SKILLS}/team/x`,
  '/.well-known/agent-skills/index.json',
];

describe('the gate of a registry', () => {
  it(`${proves('C-5-03')} answers 404 on every path below a registry that does not exist`, async () => {
    const bench = await start();
    for (const path of PATHS) {
      const reply = await bench.ask(`/registry/none${path}`, { as: 'admin' });
      expect([reply.status, String(reply.body)], path).toEqual([
        404,
        expect.stringContaining('registry_not_found'),
      ]);
    }
  });

  it(`${proves('C-5-04', 'S-4-03', 'S-4-05', 'S-5.8-01', 'S-2.3-03')} answers 403 on every path, also those that name nothing, to a caller who fails its claims`, async () => {
    const bench = await start();
    for (const path of PATHS) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH']) {
        const reply = await bench.ask(`/registry/org${path}`, { as: 'stranger', method });
        expect(reply.status, `${method} ${path}`).toBe(403);
        expect(String(reply.body)).not.toMatch(/acme|team/);
      }
    }
  });

  it(`${proves('S-4-02', 'S-5.9-04', 'S-9-04')} is passed by any shared value of each key, and by no less`, async () => {
    const bench = await start();
    const statusOf = async (registry: string, as: string) =>
      (await bench.ask(`/registry/${registry}/v0.1/servers`, { as })).status;
    expect(await statusOf('org', 'blue')).toBe(200);
    expect(await statusOf('org', 'red')).toBe(200);
    expect(await statusOf('team', 'red')).toBe(200);
    expect(await statusOf('team', 'blue')).toBe(403);
    expect(await statusOf('team', 'stranger')).toBe(403);
  });

  it(`${proves('S-4-04', 'S-5.8-02', 'S-5.9-02', 'S-5.10-02', 'S-5.10-06', 'S-2.2-08')} shows only entries whose claims, those of their source, are satisfied too`, async () => {
    const bench = await start();
    const list = async (as: string) => keysOf(await bench.ask('/registry/org/v0.1/servers', { as }));
    expect(await list('blue')).toEqual(['a.team/x@1.0.0', 'b.all/x@1.0.0']);
    expect(await list('red')).toEqual(['b.all/x@1.0.0']);
    expect(await list('admin')).toEqual(['a.team/x@1.0.0', 'b.all/x@1.0.0', 'c.bare/x@1.0.0']);
  });

  it(`${proves('C-5-19', 'C-5-23', 'C-5-30', 'S-9-03', 'S-5.10-02')} hides what is invisible on single-resource paths as it does in lists`, async () => {
    const bench = await start();
    const paths = [
      '/v0.1/servers/a.team%2Fx/versions',
      '/v0.1/servers/a.team%2Fx/versions/latest',
      '/v0.1/servers/a.team%2Fx/versions/1.0.0',
      '/v0.1/servers/c.bare%2Fx/versions',
      '/v0.1/servers/c.bare%2Fx/versions/1.0.0',
      `${SKILLS}/team/x`,
      `${SKILLS}/team/x/versions`,
      `${SKILLS}/team/x/versions/1.0.0`,
      `${SKILLS}/bare/x`,
    ];
    for (const path of paths) {
      const hidden = await bench.ask(`/registry/org${path}`, { as: 'red' });
      const unknown = await bench.ask(`/registry/org${path.replace(/team|bare/, 'unknown')}`, { as: 'red' });
      expect(hidden.status, path).toBe(404);
      expect(String(hidden.body)).toBe(String(unknown.body));
      expect((await bench.ask(`/registry/org${path}`, { as: 'admin' })).status, path).toBe(200);
    }
  });

  it(`${proves('S-5.10-01', 'S-2.3-04', 'S-5.10-07', 'S-5.9-02')} keeps a registry without claims from everyone but a super-admin`, async () => {
    const bench = await start();
    for (const as of ['blue', 'red', 'stranger']) {
      expect((await bench.ask('/registry/bare/v0.1/servers', { as })).status, as).toBe(403);
    }
    expect((await bench.ask('/registry/bare/v0.1/servers', { as: 'admin' })).status).toBe(200);
    expect((await bench.ask('/registry/org/v0.1/servers', { as: 'red' })).status).toBe(200);
  });

  it(`${proves('S-5.10-04', 'S-5.10-05')} shows what is unlabeled in auth-only and anonymous mode`, async () => {
    const bench = await start();
    const everything = ['a.team/x@1.0.0', 'b.all/x@1.0.0', 'c.bare/x@1.0.0'];
    for (const registry of ['bare', 'org']) {
      const reply = await bench.ask(`/registry/${registry}/v0.1/servers`, { as: 'auth-only' });
      expect(keysOf(reply)).toEqual(everything);
    }
    const open = await startBench(bench.world, { callers: { '': makeAnonymous() } });
    expect(keysOf(await open.ask('/registry/bare/v0.1/servers'))).toEqual(everything);
  });

  it(`${proves('C-12.10-01')} comes after the token and before everything about the request`, async () => {
    const bench = await start();
    const code = async (path: string, as?: string, method = 'GET') => {
      const reply = await bench.ask(path, { method, ...(as ? { as } : {}) });
      return [reply.status, JSON.parse(String(reply.body)).code];
    };
    expect(await code('/registry/none/v0.1/servers?limit=0', undefined, 'POST')).toEqual([
      401,
      'unauthenticated',
    ]);
    expect(await code('/registry/none/v0.1/servers?limit=0', 'stranger', 'POST')).toEqual([
      404,
      'registry_not_found',
    ]);
    expect(await code('/registry/org/v0.1/servers?limit=0', 'stranger', 'POST')).toEqual([
      403,
      'registry_forbidden',
    ]);
    expect(await code('/registry/org/v0.1/servers?limit=0', 'blue', 'POST')).toEqual([400, 'limit_invalid']);
    expect(await code('/registry/org/v0.1/servers/%zz/none', 'blue', 'POST')).toEqual([
      400,
      'path_encoding_invalid',
    ]);
    expect(await code('/registry/org/v0.1/servers/a.b%2Fx/versions', 'blue', 'POST')).toEqual([
      404,
      'server_not_found',
    ]);
    expect(await code('/registry/org/v0.1/none', 'blue', 'POST')).toEqual([404, 'route_not_found']);
    expect(await code('/registry/org/v0.1/servers', 'blue', 'POST')).toEqual([405, 'method_not_allowed']);
  });
});
