import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import type { Reply } from '../support/http-client.ts';
import { type Issuer, startIssuer } from '../support/start-issuer.ts';
import { readJsonLines, type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const ADMIN_GROUPS = { groups: ['managers'] };
const CALLERS = {
  root: { groups: ['admins'] },
  both: { org: 'acme', team: ['platform', 'data'], ...ADMIN_GROUPS },
  data: { org: 'acme', team: ['data'], ...ADMIN_GROUPS },
  stranger: { org: 'other', ...ADMIN_GROUPS },
  plain: { org: 'acme', team: ['platform', 'data'] },
};
type Caller = keyof typeof CALLERS;

let issuer: Issuer;
let service: Service;
const tokens = new Map<string, string>();

const call = (caller: Caller, method: string, path: string, body?: unknown): Promise<Reply> =>
  service.ask(path, { method, token: tokens.get(caller), ...(body === undefined ? {} : { body }) });
const get = (caller: Caller, path: string) => call(caller, 'GET', path);
const put = (caller: Caller, path: string, body: object) => call(caller, 'PUT', path, body);
const remove = (caller: Caller, path: string) => call(caller, 'DELETE', path);
const fileSource = (claims: object, more: object = {}) => ({
  file: { path: './allowed/own.json' },
  syncPolicy: { interval: '1h' },
  claims,
  ...more,
});

beforeAll(async () => {
  issuer = await startIssuer({ callers: CALLERS });
  const role = [{ groups: 'managers' }];
  service = await startService(
    {
      sources: [
        inlineSource('team', ['com.acme/one', 'com.acme/two'], { claims: { org: 'acme' } }),
        inlineSource('bare', ['com.acme/bare']),
        { name: 'published', managed: {}, claims: { org: 'acme' } },
      ],
      registries: [{ name: 'main', sources: ['team', 'published'], claims: { org: 'acme' } }],
      sourcesPolicy: { allowedPaths: ['./allowed'] },
      limits: { maxBodyBytes: 100_000 },
      auth: {
        mode: 'oauth',
        oauth: { resourceUrl: 'http://127.0.0.1/', providers: [issuer.provider()] },
        authz: {
          roles: {
            superAdmin: [{ groups: 'admins' }],
            manageSources: role,
            manageRegistries: role,
            manageEntries: role,
          },
        },
      },
      audit: { enabled: true, logFile: './audit.jsonl' },
    },
    {
      prepare: (dir) => {
        mkdirSync(join(dir, 'allowed'));
        writeFileSync(join(dir, 'allowed', 'own.json'), makeCatalog(['com.acme/own']));
      },
    },
  );
  for (const caller of Object.keys(CALLERS)) tokens.set(caller, await issuer.issue(caller));
});
afterAll(async () => {
  await service?.stop();
  await issuer?.close();
});

const status = async (answer: Promise<Reply>): Promise<number> => (await answer).status;
const refusal = async (answer: Promise<Reply>): Promise<[number, string]> => {
  const { status: code, json } = await answer;
  return [code, json.code];
};
const whenComplete = (name: string) =>
  waitUntil(async () => {
    const { json } = await get('root', `/v1/sources/${name}`);
    return json.status.phase === 'complete' && json;
  }, `${name} synchronised`);

describe('sources', () => {
  it(`${proves('C-6-08', 'C-6-09', 'C-6-11', 'C-6-60', 'S-5.12-01', 'S-5.8-03', 'S-5.10-03')} are listed and read by those who see them`, async () => {
    const names = async (caller: Caller) =>
      (await get(caller, '/v1/sources')).json.sources.map(({ name }: { name: string }) => name);
    expect(await names('root')).toEqual(['bare', 'published', 'team']);
    expect(await names('both')).toEqual(['published', 'team']);
    expect(await names('stranger')).toEqual([]);
    const { status: code, json } = await get('data', '/v1/sources/team');
    expect([code, json.name, json.creationType]).toEqual([200, 'team', 'CONFIG']);
    expect(await refusal(get('root', '/v1/sources/unknown'))).toEqual([404, 'source_not_found']);
    expect(await refusal(get('both', '/v1/sources/bare'))).toEqual([404, 'source_not_found']);
  });

  it(`${proves('C-6-12', 'C-6-13', 'C-6-18', 'C-6-20', 'C-6-58', 'C-6-60', 'C-6-61', 'C-6-63', 'S-5.7-04')} are made, changed, described and deleted`, async () => {
    const body = fileSource({ org: 'acme' }, { filter: { names: { include: ['com.acme/*'] } } });
    const made = await put('both', '/v1/sources/own', body);
    expect([made.status, made.headers.get('location')]).toEqual([201, '/v1/sources/own']);
    const complete = await whenComplete('own');
    expect(complete).toEqual({
      name: 'own',
      type: 'file',
      creationType: 'API',
      file: expect.objectContaining({ path: './allowed/own.json' }),
      filter: expect.objectContaining({ names: expect.objectContaining({ include: ['com.acme/*'] }) }),
      syncPolicy: { interval: '1h0m0s' },
      claims: { org: 'acme' },
      status: {
        phase: 'complete',
        lastSyncTime: expect.stringMatching(/^20.*Z$/),
        lastAttemptTime: expect.stringMatching(/^20.*Z$/),
        attempts: 0,
        message: '1 server, 0 skills',
        servers: 1,
        skills: 0,
        rejected: [],
        bundle: {
          hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          origin: expect.objectContaining({ kind: 'file' }),
        },
      },
      createdAt: expect.stringMatching(/^20.*Z$/),
      updatedAt: expect.stringMatching(/^20.*Z$/),
    });
    const changed = await put('data', '/v1/sources/own', fileSource({ org: 'acme', team: ['data'] }));
    expect([changed.status, changed.json.claims, changed.json.createdAt]).toEqual([
      200,
      { org: 'acme', team: ['data'] },
      complete.createdAt,
    ]);
    expect(await status(remove('both', '/v1/sources/own'))).toBe(204);
    expect(await refusal(remove('both', '/v1/sources/own'))).toEqual([404, 'source_not_found']);
  });

  it(`${proves('C-6-14', 'C-6-15', 'C-6-16', 'C-6-19', 'C-6-21', 'C-6-75', 'C-6-76', 'S-5.12-04', 'S-5.12-06', 'S-7-12', 'S-5.9-07', 'S-5.9-08', 'S-5.9-15', 'S-5.9-16', 'S-9-05')} are refused for what is wrong with them`, async () => {
    const claims = { org: 'acme', team: ['platform', 'data'] };
    for (const body of [
      {},
      fileSource({}, { git: { repository: 'https://x.example/r' } }),
      fileSource({ org: 5 }),
      fileSource({}, { syncPolicy: { interval: 'soon' } }),
      fileSource({}, { unknown: true }),
    ])
      expect(await refusal(put('root', '/v1/sources/bad', body))).toEqual([400, 'source_invalid']);
    expect(await refusal(put('root', '/v1/sources/team', fileSource({})))).toEqual([
      403,
      'source_config_owned',
    ]);
    expect(await refusal(remove('root', '/v1/sources/team'))).toEqual([403, 'source_config_owned']);
    // Every value is needed to set claims; one of them is enough to see, and so to delete.
    expect(await refusal(put('data', '/v1/sources/both', fileSource(claims)))).toEqual([
      403,
      'claims_not_subset',
    ]);
    expect(await status(put('both', '/v1/sources/both', fileSource(claims)))).toBe(201);
    expect(await refusal(put('data', '/v1/sources/both', fileSource(claims)))).toEqual([
      403,
      'claims_not_subset',
    ]);
    expect(await status(put('data', '/v1/sources/both', fileSource({ org: 'acme' })))).toBe(200);
    expect(await status(put('both', '/v1/sources/both', fileSource(claims)))).toBe(200);
    expect(await refusal(put('stranger', '/v1/sources/both', fileSource({ org: 'other' })))).toEqual([
      403,
      'source_forbidden',
    ]);
    expect(await refusal(remove('stranger', '/v1/sources/both'))).toEqual([403, 'source_forbidden']);
    await put('both', '/v1/registries/user', { sources: ['both'], claims });
    const used = await remove('data', '/v1/sources/both');
    expect([used.status, used.json.detail]).toEqual([409, expect.stringContaining('user')]);
    expect(await status(remove('data', '/v1/registries/user'))).toBe(204);
    expect(await status(remove('data', '/v1/sources/both'))).toBe(204);

    const outside = fileSource({ org: 'acme' }, { file: { path: './registry.config.yaml' } });
    expect(await refusal(put('root', '/v1/sources/out', outside))).toEqual([403, 'path_forbidden']);
    const upward = fileSource({ org: 'acme' }, { file: { path: './allowed/../registry.config.yaml' } });
    expect(await refusal(put('root', '/v1/sources/out', upward))).toEqual([403, 'path_forbidden']);
    for (const host of [
      'http://localhost:9',
      'https://x.localhost',
      'http://127.0.0.1:9',
      'http://[::1]',
      'https://169.254.169.254',
      'https://10.0.0.1',
      'https://192.168.1.1',
    ]) {
      const body = { file: { url: `${host}/r.json` }, syncPolicy: { interval: '1h' }, claims: {} };
      const refused = await refusal(put('root', '/v1/sources/private', body));
      expect([host, ...refused]).toEqual([host, 403, 'address_forbidden']);
    }
  });

  it(`${proves('C-6-25', 'C-6-27', 'C-6-28', 'C-6-29', 'C-6-30', 'C-6-31', 'C-12.8-02')} are synchronised and gone back to on demand`, async () => {
    await put('both', '/v1/sources/turned', fileSource({ org: 'acme' }));
    await whenComplete('turned');
    const file = join(service.dir, 'allowed', 'own.json');
    writeFileSync(file, makeCatalog(['com.acme/own', 'com.acme/more']));
    const asked = await call('both', 'POST', '/v1/sources/turned/sync');
    expect([asked.status, asked.json.phase]).toEqual([202, 'syncing']);
    await waitUntil(async () => (await whenComplete('turned')).status.servers === 2, 'the second catalog');
    const { json, status: code } = await get('both', '/v1/sources/turned/bundles');
    expect([code, json.bundles.map(({ current }: { current: boolean }) => current)]).toEqual([
      200,
      [true, false],
    ]);
    const { hash } = json.bundles[1];
    expect(await status(call('both', 'POST', '/v1/sources/turned/rollback', { hash }))).toBe(200);
    expect((await whenComplete('turned')).status).toMatchObject({ servers: 1, bundle: { hash } });

    for (const path of ['sync', 'rollback'])
      expect(await status(call('root', 'POST', `/v1/sources/unknown/${path}`, { hash }))).toBe(404);
    expect(await status(get('root', '/v1/sources/unknown/bundles'))).toBe(404);
    const unknown = call('both', 'POST', '/v1/sources/turned/rollback', { hash: 'f'.repeat(64) });
    expect(await refusal(unknown)).toEqual([404, 'bundle_unknown']);
    expect(await refusal(call('root', 'POST', '/v1/sources/published/sync'))).toEqual([
      409,
      'source_not_syncable',
    ]);
    await remove('both', '/v1/sources/turned');
  });

  it(`${proves('C-6-62', 'C-3-16')} say what they rejected, the first 50 of it`, async () => {
    const servers = Array.from({ length: 60 }, (_, index) => ({ name: `com.acme/no-version-${index}` }));
    const catalog = JSON.parse(makeCatalog(['com.acme/fine']));
    catalog.data.servers.push(...servers);
    writeFileSync(join(service.dir, 'allowed', 'rejected.json'), JSON.stringify(catalog, null, 1));
    const body = fileSource({ org: 'acme' }, { file: { path: './allowed/rejected.json' } });
    await put('both', '/v1/sources/rejecting', body);
    const { status: seen } = await whenComplete('rejecting');
    expect([seen.servers, seen.rejected.length, seen.message]).toEqual([
      1,
      50,
      '1 server, 0 skills, 60 rejected',
    ]);
    expect(seen.rejected[0]).toEqual({
      file: expect.stringContaining('rejected.json'),
      line: expect.any(Number),
      reason: expect.stringMatching(/./),
    });
    expect(seen.rejected[0].line).toBeGreaterThan(1);
    await remove('both', '/v1/sources/rejecting');
  });
});

describe('registries', () => {
  it(`${proves('C-6-32', 'C-6-35', 'S-5.7-05', 'S-5.7-12', 'S-5.12-01')} are managed as sources are`, async () => {
    const names = async (caller: Caller) =>
      (await get(caller, '/v1/registries')).json.registries.map(({ name }: { name: string }) => name);
    const body = { sources: ['team'], claims: { org: 'acme' }, description: 'Own tools' };
    const made = await put('both', '/v1/registries/own', body);
    expect([made.status, made.headers.get('location')]).toEqual([201, '/v1/registries/own']);
    expect(made.json).toMatchObject({ name: 'own', creationType: 'API', ...body });
    expect(await names('data')).toEqual(['main', 'own']);
    expect(await names('stranger')).toEqual([]);
    expect(await status(get('plain', '/registry/own/v0.1/servers'))).toBe(200);
    const changed = await put('data', '/v1/registries/own', { ...body, description: 'Others' });
    expect([changed.status, changed.json.description]).toEqual([200, 'Others']);
    expect((await get('both', '/v1/registries/own')).json).toEqual(changed.json);
    for (const sources of [[], ['team', 'team'], ['unknown']])
      expect(await refusal(put('root', '/v1/registries/bad', { sources, claims: {} }))).toEqual([
        400,
        'registry_invalid',
      ]);
    expect(await refusal(get('root', '/v1/registries/unknown'))).toEqual([404, 'registry_not_found']);
    expect(await refusal(get('stranger', '/v1/registries/own'))).toEqual([404, 'registry_not_found']);
    expect(await refusal(put('root', '/v1/registries/main', body))).toEqual([403, 'registry_config_owned']);
    expect(await refusal(remove('stranger', '/v1/registries/own'))).toEqual([403, 'registry_forbidden']);
    // A super-admin manages what it has no claims of.
    expect(await status(put('root', '/v1/registries/own', { ...body, claims: { org: 'any' } }))).toBe(200);
    expect(await status(remove('root', '/v1/registries/own'))).toBe(204);
    expect(await refusal(remove('root', '/v1/registries/own'))).toEqual([404, 'registry_not_found']);
    expect(await status(put('root', '/v1/sources/any', fileSource({ org: 'any' })))).toBe(201);
    expect(await status(remove('root', '/v1/sources/any'))).toBe(204);
  });
});

describe('all of it', () => {
  it(`${proves('C-6-01', 'C-6-46')} needs the role before anything else, and takes bodies up to the limit`, async () => {
    for (const answer of [
      get('plain', '/v1/sources/unknown'),
      put('plain', '/v1/sources/team', {}),
      put('plain', '/v1/registries/main', {}),
      call('plain', 'POST', '/v1/entries', {}),
      remove('plain', '/v1/entries/server/com.acme%2Funknown/versions/1'),
    ])
      expect(await refusal(answer)).toEqual([403, 'role_missing']);
    const server = { name: 'com.acme/big', version: '1.0.0', description: 'x'.repeat(100_000) };
    expect(await status(call('both', 'POST', '/v1/entries', { server, claims: { org: 'acme' } }))).toBe(413);
  });

  it(`${proves('S-1-05', 'S-5.8-06', 'S-5.11-04', 'S-5.10-08', 'S-5.10-09', 'C-6-70')} shows published entries by their own claims, whatever those of the source are`, async () => {
    const publish = (caller: Caller, name: string, claims: object, source = 'published') =>
      call(caller, 'POST', `/v1/entries?source=${source}`, {
        server: { name, version: '1.0.0', description: 'x' },
        claims,
      });
    const sees = async (caller: Caller, name: string): Promise<boolean> => {
      const { json } = await get(caller, '/registry/open/v0.1/servers?limit=100');
      return json.servers.some(({ server }: { server: { name: string } }) => server.name === name);
    };
    expect(await status(put('root', '/v1/sources/closed', { managed: {}, claims: { org: 'nobody' } }))).toBe(
      201,
    );
    expect(
      await status(
        put('root', '/v1/registries/open', { sources: ['closed'], claims: { org: ['acme', 'other'] } }),
      ),
    ).toBe(201);
    expect(await status(publish('both', 'com.acme/refused', { org: 'acme' }, 'closed'))).toBe(403);
    expect(await status(publish('root', 'com.acme/data', { org: 'acme', team: ['data'] }, 'closed'))).toBe(
      201,
    );
    expect([await sees('data', 'com.acme/data'), await sees('stranger', 'com.acme/data')]).toEqual([
      true,
      false,
    ]);
    const path = '/v1/entries/server/com.acme%2Fdata/claims';
    expect(await status(put('root', path, { claims: {} }))).toBe(204);
    expect([await sees('data', 'com.acme/data'), await sees('root', 'com.acme/data')]).toEqual([false, true]);
    expect(await status(put('root', path, { claims: { org: 'other' } }))).toBe(204);
    expect([await sees('data', 'com.acme/data'), await sees('stranger', 'com.acme/data')]).toEqual([
      false,
      true,
    ]);
    await remove('root', '/v1/registries/open');
    await remove('root', '/v1/sources/closed');
  });

  it(`${proves('C-11-04', 'C-11-05', 'C-11-06', 'C-11-11')} is audited`, async () => {
    await call('both', 'POST', '/v1/entries?source=published', {
      server: { name: 'com.acme/audited', version: '1.0.0', description: 'x' },
      claims: { org: 'acme' },
    });
    await put('both', '/v1/entries/server/com.acme%2Faudited/claims', { claims: { org: 'acme' } });
    await remove('both', '/v1/entries/server/com.acme%2Faudited/versions/1.0.0');
    await get('plain', '/v1/sources');
    const lines = await waitUntil(() => {
      const found = readJsonLines(join(service.dir, 'audit.jsonl'));
      return found.some(({ type, outcome }) => type === 'source.list' && outcome === 'denied') && found;
    }, 'the denial in the audit log');
    const types = new Set(lines.map(({ type }) => type));
    for (const type of [
      'source.create',
      'source.update',
      'source.delete',
      'source.list',
      'source.read',
      'source.sync',
    ])
      expect(types).toContain(type);
    for (const type of [
      'registry.create',
      'registry.update',
      'registry.delete',
      'registry.list',
      'registry.read',
    ])
      expect(types).toContain(type);
    expect([...types].filter((type) => type.startsWith('entry.')).length).toBeGreaterThanOrEqual(3);
  });
});
