import { describe, expect, it } from 'vitest';
import type { AdminCall, AdminResult } from '../../../server/admin/admin-route.ts';
import { deleteVersion, patchVersion, readVersion } from '../../../server/admin/change-version.ts';
import { readEntryClaims, replaceEntryClaims } from '../../../server/admin/entry-claims.ts';
import type { EntryContext } from '../../../server/admin/entry-context.ts';
import { publishEntry } from '../../../server/admin/publish-entry.ts';
import { readMe } from '../../../server/admin/read-me.ts';
import type { Claims } from '../../../sources/model/claims.ts';
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

const ONE = { type: 'server', name: 'io.example/one', version: '1.0.0' };
const SYNCED = { ...ONE, name: 'io.synced/entry' };

async function withEntry(claims: Claims = CLAIMS, sources = [MANAGED]): Promise<EntryContext> {
  const context = await makeContext(sources);
  for (const version of ['1.0.0', '2.0.0']) {
    await context.overlay.publish('internal', entry(version), claims);
  }
  return context;
}

function entry(version: string) {
  const body = server('io.example/one', version);
  return {
    type: 'server' as const,
    name: 'io.example/one',
    version,
    body,
    status: 'active' as const,
    tags: [],
    tools: [],
  };
}

type Handle = (context: EntryContext, call: AdminCall) => AdminResult | Promise<AdminResult>;
const CALLS: [title: string, handle: Handle, body: unknown, success: string][] = [
  ['DELETE version', deleteVersion, undefined, '204 ok'],
  ['PATCH version', patchVersion, { status: 'deprecated' }, '200 ok'],
  ['GET claims', readEntryClaims, undefined, '200 ok'],
  ['PUT claims', replaceEntryClaims, { claims: { org: 'acme' } }, '204 ok'],
];

for (const [title, handle, body, success] of CALLS) {
  describe(title, () => {
    const rows: [caller: Caller, params: Record<string, string>, expected: string][] = [
      ['noRole', { ...ONE, type: 'widget' }, '403 role_missing'],
      ['writer', { ...ONE, type: 'widget' }, '400 type_invalid'],
      ['writer', ONE, success],
      ['superAdmin', ONE, success],
      ['anybody', ONE, success],
      ['dataWriter', ONE, '403 entry_forbidden'],
      ['outsideWriter', ONE, '403 entry_forbidden'],
      ['writer', { ...ONE, name: 'io.example/none' }, '404 entry_not_found'],
      ['writer', { ...ONE, type: 'skill' }, '404 entry_not_found'],
      ['superAdmin', SYNCED, '404 entry_not_managed'],
      ['dataWriter', SYNCED, '404 entry_not_managed'],
      ['writer', SYNCED, '404 entry_not_found'],
    ];
    for (const [caller, params, expected] of rows) {
      it(`${proves('C-6-04', 'C-6-47', 'C-6-50', 'C-6-52', 'C-6-53', 'C-6-54', 'C-6-71', 'S-4-11', 'S-4-12', 'S-4-13', 'S-4-17', 'S-5.7-06', 'S-5.7-13', 'S-5.11-09', 'S-5.12-08', 'S-5.12-09', 'S-7-11', 'S-7-14')} ${caller} on ${params.type} ${params.name}: ${expected}`, async () => {
        const context = await withEntry();
        expect(await outcomeOf(() => handle(context, callAs(caller, { params, body })))).toBe(expected);
      });
    }

    it(`${proves('C-6-05')} tells who does not see the entry neither its owner nor its claims`, async () => {
      const context = await withEntry();
      for (const caller of ['dataWriter', 'outsideWriter'] as const) {
        const refused = (async () => handle(context, callAs(caller, { params: ONE, body })))();
        await expect(refused).rejects.toSatisfy(
          (error) =>
            error instanceof Error && !/acme|platform|internal/.test(JSON.stringify(error) + error.message),
        );
      }
    });

    it(`${proves('S-4-13', 'S-5.12-08', 'S-5.12-09')} leaves an entry without claims to who sees everything`, async () => {
      const context = await withEntry({});
      const as = (caller: Caller) => outcomeOf(() => handle(context, callAs(caller, { params: ONE, body })));
      expect(await as('writer')).toBe('403 entry_forbidden');
      expect(await as('superAdmin')).toBe(success);
    });
  });
}

describe('changing a version', () => {
  it('answers 404 for an unknown version, `latest` included', async () => {
    const context = await withEntry();
    for (const version of ['9.9.9', 'latest', '']) {
      const call = callAs('writer', { params: { ...ONE, version }, body: { status: 'deleted' } });
      expect(await outcomeOf(() => deleteVersion(context, call))).toBe('404 entry_not_found');
      expect(await outcomeOf(() => patchVersion(context, call))).toBe('404 entry_not_found');
    }
  });

  it('deletes for good and makes room for the version again', async () => {
    const context = await withEntry();
    await deleteVersion(context, callAs('writer', { params: ONE }));
    expect(await outcomeOf(() => readVersion(context, callAs('writer', { params: ONE })))).toBe(
      '404 entry_not_found',
    );
    const again = callAs('writer', { body: { server: server(), claims: CLAIMS } });
    expect(await outcomeOf(() => publishEntry(context, again))).toBe('201 ok');
  });

  it(`${proves('C-6-51')} shows the patched version with its status`, async () => {
    const context = await withEntry();
    const body = { status: 'deprecated', statusMessage: 'use two' };
    const answer = await patchVersion(context, callAs('writer', { params: ONE, body }));
    expect(answer.body).toMatchObject({
      server: server(),
      _meta: {
        'io.modelcontextprotocol.registry/official': {
          status: 'deprecated',
          statusMessage: 'use two',
          isLatest: false,
        },
        'dev.berth/origin': { source: 'internal', kind: 'managed' },
      },
    });
    expect(readVersion(context, callAs('writer', { params: ONE })).body).toEqual(answer.body);
    expect(await outcomeOf(() => readVersion(context, callAs('dataWriter', { params: ONE })))).toBe(
      '404 entry_not_found',
    );
  });

  const patches: [body: unknown, expected: string][] = [
    [{ status: 'gone' }, '400 status_invalid'],
    [{ status: 5 }, '400 status_invalid'],
    [{}, '400 status_invalid'],
    [[], '400 status_invalid'],
    [undefined, '400 status_invalid'],
    [{ status: 'active', statusMessage: 'why' }, '400 status_invalid'],
    [{ status: 'active', statusMessage: '' }, '200 ok'],
    [{ status: 'deleted', statusMessage: 'x'.repeat(501) }, '400 status_invalid'],
    [{ status: 'deleted', statusMessage: '😀'.repeat(500) }, '200 ok'],
    [{ status: 'deleted', statusMessage: 'a\0b' }, '400 status_invalid'],
    [{ status: 'deleted', more: 1 }, '400 status_invalid'],
  ];
  for (const [body, expected] of patches) {
    it(`${proves('C-6-50', 'C-6-51')} PATCH ${JSON.stringify(body)?.slice(0, 60)}: ${expected}`, async () => {
      const context = await withEntry();
      expect(await outcomeOf(() => patchVersion(context, callAs('writer', { params: ONE, body })))).toBe(
        expected,
      );
    });
  }
});

describe('claims of an entry', () => {
  it(`${proves('S-2.5-01', 'S-2.5-02', 'S-4-11', 'S-4-14', 'S-4-15')} come back in the envelope as they were written`, async () => {
    const claims = { org: 'acme', team: ['platform'] };
    const context = await withEntry(claims);
    expect(readEntryClaims(context, callAs('writer', { params: ONE }))).toEqual({
      status: 200,
      body: { claims },
    });
    const next = { team: 'platform' };
    await replaceEntryClaims(context, callAs('writer', { params: ONE, body: { claims: next } }));
    expect(readEntryClaims(context, callAs('writer', { params: ONE })).body).toEqual({ claims: next });
    await replaceEntryClaims(context, callAs('writer', { params: ONE, body: { claims: {} } }));
    expect(readEntryClaims(context, callAs('superAdmin', { params: ONE })).body).toEqual({ claims: {} });
    expect(await outcomeOf(() => readEntryClaims(context, callAs('writer', { params: ONE })))).toBe(
      '403 entry_forbidden',
    );
  });

  const puts: [body: unknown, expected: string][] = [
    [undefined, '400 claims_missing'],
    [{}, '400 claims_missing'],
    [{ org: 'acme' }, '400 claims_missing'],
    [{ claims: { org: 'acme' }, more: 1 }, '400 claims_invalid'],
    [{ claims: { org: 5 } }, '400 claims_invalid'],
    [{ claims: { org: [] } }, '400 claims_invalid'],
    [{ claims: { org: null } }, '400 claims_invalid'],
    [{ claims: 'acme' }, '400 claims_invalid'],
    [{ claims: { org: 'contoso' } }, '403 claims_not_subset'],
    [{ claims: { team: ['platform', 'data'] } }, '403 claims_not_subset'],
    [{ claims: {} }, '204 ok'],
  ];
  for (const [body, expected] of puts) {
    it(`${proves('C-6-55', 'C-6-69', 'S-2.5-01', 'S-5.12-10')} PUT ${JSON.stringify(body)}: ${expected}`, async () => {
      const context = await withEntry();
      const call = callAs('writer', { params: ONE, body });
      expect(await outcomeOf(() => replaceEntryClaims(context, call))).toBe(expected);
    });
  }

  it(`${proves('C-6-39')} see a skill by its full name`, async () => {
    const context = await makeContext();
    for (const namespace of ['io.example', 'io.other']) {
      const body = { skill: skill(namespace, 'one'), claims: CLAIMS };
      expect(await outcomeOf(() => publishEntry(context, callAs('writer', { body })))).toBe('201 ok');
    }
    await deleteVersion(context, callAs('writer', { params: { ...ONE, type: 'skill' } }));
    const other = callAs('writer', { params: { ...ONE, type: 'skill', name: 'io.other/one' } });
    expect(await outcomeOf(() => readEntryClaims(context, other))).toBe('200 ok');
  });
});

describe('an entry in several managed sources', () => {
  const second = { name: 'second', claims: undefined };

  it('is the first one the caller sees, or the one that is named', async () => {
    const context = await withEntry({ org: 'hidden' }, [MANAGED, second]);
    await context.overlay.publish('second', entry('1.0.0'), CLAIMS);
    const read = (caller: Caller, query: Record<string, string> = {}) =>
      readEntryClaims(context, callAs(caller, { params: ONE, query })).body;
    expect(read('writer')).toEqual({ claims: CLAIMS });
    expect(read('superAdmin')).toEqual({ claims: { org: 'hidden' } });
    expect(read('superAdmin', { source: 'second' })).toEqual({ claims: CLAIMS });
    const named = (source: string) => outcomeOf(() => read('writer', { source }));
    expect(await named('internal')).toBe('403 entry_forbidden');
    expect(await named('nowhere')).toBe('404 entry_not_found');
  });
});

describe('readMe', () => {
  it(`${proves('S-2.6-01', 'S-2.6-02')} tells subject and roles`, () => {
    expect(readMe(callAs('writer'))).toEqual({
      status: 200,
      body: { subject: 'somebody', roles: ['manageEntries'] },
    });
  });

  it(`${proves('C-6-06', 'S-5.13-05')} tells every role, in the order of the contract, in auth-only mode`, () => {
    expect(readMe(callAs('authOnly')).body).toEqual({
      subject: 'token',
      roles: ['superAdmin', 'manageSources', 'manageRegistries', 'manageEntries'],
    });
  });

  it('asks for a token in anonymous mode', async () => {
    expect(await outcomeOf(() => readMe(callAs('anybody')))).toBe('401 authentication_required');
  });
});
