import { describe, expect, it } from 'vitest';
import { publishEntry } from '../../../server/admin/publish-entry.ts';
import { answerProblem, HttpError } from '../../../server/http/problem.ts';
import { SERVER_SCHEMA_URL } from '../../../sources/model/server-json.ts';
import { proves } from '../../requirements/proves.ts';
import {
  type Caller,
  CLAIMS,
  callAs,
  MANAGED,
  makeContext,
  outcomeOf,
  server,
  skill,
} from './entry-fixture.ts';

const TEAM_B = { name: 'team-b', claims: { team: 'data' } };
const UNLABELED = { name: 'unlabeled', claims: undefined };

describe('publishEntry', () => {
  it(`${proves('C-6-37', 'C-6-38', 'S-2.2-15', 'S-2.2-16', 'S-2.4-05', 'S-2.4-06', 'S-4-06')} stores the entry and answers 201 with it as it was sent, and where it is`, async () => {
    const context = await makeContext();
    const body = server('io.example/one', '1.0.0+build.1', {
      $schema: SERVER_SCHEMA_URL,
      packages: [{ registryType: 'npm', identifier: 'one', version: '1.0.0', transport: { type: 'stdio' } }],
      remotes: [{ type: 'streamable-http', url: 'https://one.example.com/mcp' }],
      _meta: { 'x.y/z': { n: [1, null, 'é'] } },
      extra: { kept: true },
    });
    const answer = await publishEntry(context, callAs('writer', { body: { server: body, claims: CLAIMS } }));
    expect(answer).toEqual({
      status: 201,
      body,
      headers: { Location: '/v1/entries/server/io.example%2Fone/versions/1.0.0%2Bbuild.1' },
    });
    const { servers } = context.overlay.segmentOf('internal');
    expect(JSON.parse(servers.bodyOf(servers.rowsOf(0)[0] ?? -1))).toEqual(body);
    const claimsOf = (name: string) =>
      context.overlay.readClaims({ source: 'internal', type: 'server', name });
    expect(claimsOf('io.example/one')).toEqual(CLAIMS);
    await publishEntry(context, callAs('anybody', { body: { server: server('io.example/bare') } }));
    expect(MANAGED.claims).toEqual({ org: 'acme' });
    expect(claimsOf('io.example/bare')).toEqual({});
  });

  it('tells the audit what was published', async () => {
    const context = await makeContext();
    const named: unknown[] = [];
    const call = {
      ...callAs('writer', { body: { skill: skill('io.example', 'one'), claims: CLAIMS } }),
      name: (resource: unknown) => named.push(resource),
    };
    await publishEntry(context, call);
    expect(named).toEqual([{ resourceType: 'skill', resourceName: 'io.example/one', version: '1.0.0' }]);
  });

  it('asks for the body only when the role is there', async () => {
    const context = await makeContext();
    const call = {
      ...callAs('noRole'),
      get body(): never {
        throw new Error('the body was read');
      },
    };
    await expect(publishEntry(context, call)).rejects.toMatchObject({ status: 403, code: 'role_missing' });
  });

  it('names every member that is wrong, where the message names the first', async () => {
    const context = await makeContext();
    const wrong = { name: 'io.example/one', packages: [{}, { transport: {} }] };
    const call = callAs('writer', { body: { server: wrong, claims: CLAIMS } });
    const error = await publishEntry(context, call).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'schema_invalid',
      errors: expect.arrayContaining([
        { path: 'description', message: 'is missing' },
        { path: 'version', message: 'is missing' },
        { path: 'packages[0].transport', message: 'is missing' },
        { path: 'packages[1].identifier', message: 'is missing' },
      ]),
    });
    const sent = error instanceof HttpError ? answerProblem(error, 'r-1').body : '{}';
    expect(JSON.parse(String(sent)).errors).toContainEqual({ path: 'version', message: 'is missing' });
  });

  // Each row is wrong in what it names and in everything that is checked later: the earlier check must win.
  const wrongServer = { ...server(), description: '' };
  const order: [title: string, caller: Caller, body: unknown, expected: string][] = [
    ['role', 'noRole', {}, '403 role_missing'],
    ['no object', 'outsideWriter', [], '400 schema_invalid'],
    ['claims missing', 'outsideWriter', { server: wrongServer, skill: {} }, '400 claims_missing'],
    ['claims null', 'outsideWriter', { server: wrongServer, claims: null }, '400 claims_missing'],
    ['claims empty', 'outsideWriter', { server: wrongServer, claims: {} }, '400 claims_missing'],
    ['claims of another type', 'outsideWriter', { server: wrongServer, claims: 'org' }, '400 claims_invalid'],
    [
      'claims with a number',
      'outsideWriter',
      { server: wrongServer, claims: { org: 5 } },
      '400 claims_invalid',
    ],
    [
      'claims with an empty array',
      'outsideWriter',
      { server: wrongServer, claims: { org: [] } },
      '400 claims_invalid',
    ],
    [
      'claims with a key that would be lost',
      'outsideWriter',
      { server: wrongServer, claims: JSON.parse('{"org":"acme","__proto__":"x"}') },
      '400 claims_invalid',
    ],
    ['no kind', 'outsideWriter', { claims: { org: 'acme' } }, '400 kind_ambiguous'],
    [
      'two kinds',
      'outsideWriter',
      { server: server(), skill: skill('io.example', 'one'), claims: { org: 'acme' } },
      '400 kind_ambiguous',
    ],
    ['schema', 'outsideWriter', { server: wrongServer, claims: { org: 'acme' } }, '400 schema_invalid'],
    [
      '`latest` as version',
      'outsideWriter',
      { server: server('io.example/one', 'latest'), claims: { org: 'acme' } },
      '400 schema_invalid',
    ],
    [
      'unknown member',
      'outsideWriter',
      { server: server(), claims: { org: 'acme' }, plugin: {} },
      '400 schema_invalid',
    ],
    [
      '_meta too large',
      'outsideWriter',
      {
        server: server('io.example/one', '1.0.0', { _meta: { big: 'x'.repeat(2001) } }),
        claims: { org: 'acme' },
      },
      '400 schema_invalid',
    ],
    ['subset', 'outsideWriter', { server: server(), claims: { org: 'acme' } }, '403 claims_not_subset'],
    [
      'source out of sight',
      'outsideWriter',
      { server: server(), claims: { org: 'contoso' } },
      '403 source_forbidden',
    ],
    ['other claims', 'writer', { server: server(), claims: { org: 'acme' } }, '409 claims_differ'],
    [
      'other claims, super-admin',
      'superAdmin',
      { server: server(), claims: { org: 'acme' } },
      '409 claims_differ',
    ],
    [
      'duplicate',
      'writer',
      { server: server(), claims: { team: ['platform'], org: 'acme' } },
      '409 version_exists',
    ],
    ['next version', 'writer', { server: server('io.example/one', '2.0.0'), claims: CLAIMS }, '201 ok'],
    [
      'array value only in part held',
      'writer',
      { server: server('io.example/two'), claims: { team: ['platform', 'data'] } },
      '403 claims_not_subset',
    ],
    [
      'super-admin, any claims',
      'superAdmin',
      { server: server('io.example/three'), claims: { any: 'thing' } },
      '201 ok',
    ],
    ['auth-only, no claims', 'authOnly', { server: server('io.example/four') }, '400 claims_missing'],
    [
      'auth-only, claims it does not hold',
      'authOnly',
      { server: server('io.example/four'), claims: { any: 'thing' } },
      '201 ok',
    ],
    ['a bare server.json', 'writer', server('io.example/seven'), '400 claims_missing'],
    ['anonymous, a bare server.json', 'anybody', server('io.example/seven'), '400 kind_ambiguous'],
    ['anonymous, no claims', 'anybody', { server: server('io.example/five') }, '201 ok'],
    [
      'anonymous, broken claims',
      'anybody',
      { server: server('io.example/six'), claims: { org: [] } },
      '400 claims_invalid',
    ],
    [
      'anonymous, no claims where the entry has some',
      'anybody',
      { server: server('io.example/one', '3.0.0') },
      '409 claims_differ',
    ],
  ];
  for (const [title, caller, body, expected] of order) {
    it(`${proves('C-2-74', 'C-6-39', 'C-6-40', 'C-6-41', 'C-6-43', 'C-6-44', 'C-6-45', 'C-6-64', 'C-6-65', 'C-6-66', 'C-6-67', 'C-6-68', 'C-12.8-04', 'S-4-08', 'S-5.7-13', 'S-5.11-01', 'S-5.11-05', 'S-5.11-06', 'S-5.11-07', 'S-7-01')} checks in order: ${title} gives ${expected}`, async () => {
      const context = await makeContext();
      await publishEntry(context, callAs('writer', { body: { server: server(), claims: CLAIMS } }));
      expect(await outcomeOf(() => publishEntry(context, callAs(caller, { body })))).toBe(expected);
    });
  }

  it(`${proves('C-7-01', 'C-7-04')} refuses claims that are no strings, and empty arrays`, async () => {
    const context = await makeContext();
    for (const value of [5, true, null, { a: 'b' }, [], ['a', 5], [['a']]]) {
      const body = { server: server(), claims: { org: 'acme', team: value } };
      const call = callAs('superAdmin', { body });
      expect([value, await outcomeOf(() => publishEntry(context, call))]).toEqual([
        value,
        '400 claims_invalid',
      ]);
    }
    expect(context.overlay.segmentOf('internal').servers.nameCount).toBe(0);
  });

  it('says in a 400 which member is wrong', async () => {
    const context = await makeContext();
    const call = callAs('writer', { body: { server: { ...server(), description: '' }, claims: CLAIMS } });
    await expect(publishEntry(context, call)).rejects.toThrow(/description/);
  });

  it(`${proves('C-6-05')} never names owner or claims in a refusal`, async () => {
    const context = await makeContext();
    await publishEntry(context, callAs('writer', { body: { server: server(), claims: CLAIMS } }));
    for (const claims of [{ org: 'contoso' }, { org: 'acme' }]) {
      const call = callAs('outsideWriter', { body: { server: server(), claims } });
      await expect(publishEntry(context, call)).rejects.toSatisfy(
        (error) => error instanceof Error && !/acme|platform|internal/.test(error.message),
      );
    }
  });

  const choices: [
    title: string,
    sources: (typeof MANAGED | typeof UNLABELED)[],
    caller: Caller,
    named: string | undefined,
    expected: string,
  ][] = [
    ['no managed source', [], 'writer', undefined, '400 no_managed_source'],
    ['several, none named', [MANAGED, TEAM_B], 'writer', undefined, '400 source_ambiguous'],
    ['several, one named', [TEAM_B, MANAGED], 'writer', 'internal', '201 ok'],
    ['one out of sight named', [MANAGED, TEAM_B], 'writer', 'team-b', '403 source_forbidden'],
    ['an unknown one named', [MANAGED], 'writer', 'nowhere', '400 source_unknown'],
    ['a synced one named', [MANAGED], 'writer', 'synced', '400 source_unknown'],
    ['without claims', [UNLABELED], 'writer', undefined, '403 source_forbidden'],
    ['without claims, super-admin', [UNLABELED], 'superAdmin', undefined, '201 ok'],
    ['without claims, auth-only', [UNLABELED], 'authOnly', undefined, '201 ok'],
  ];
  for (const [title, sources, caller, named, expected] of choices) {
    it(`${proves('C-2-46', 'C-6-42', 'C-6-43', 'C-6-68', 'S-5.11-02', 'S-5.11-03')} chooses the source: ${title} gives ${expected}`, async () => {
      const context = await makeContext(sources);
      const call = callAs(caller, {
        body: { server: server(), claims: CLAIMS },
        query: named ? { source: named } : {},
      });
      expect(await outcomeOf(() => publishEntry(context, call))).toBe(expected);
      const target = expected === '201 ok' ? (named ?? sources[0]?.name) : undefined;
      for (const { name } of sources)
        expect([name, context.overlay.segmentOf(name).servers.nameCount]).toEqual([
          name,
          name === target ? 1 : 0,
        ]);
    });
  }

  it('names only the sources the caller may publish into', async () => {
    const context = await makeContext([MANAGED, TEAM_B, UNLABELED]);
    const call = callAs('writer', { body: { server: server(), claims: CLAIMS } });
    await expect(publishEntry(context, call)).rejects.toThrow(/one of: internal\.$/);
  });
});
