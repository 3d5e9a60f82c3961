import { lookup } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { proves } from '../requirements/proves.ts';
import { inlineSource } from '../support/catalogs.ts';
import { runBerth } from '../support/run-command.ts';
import { type Issuer, startIssuer } from '../support/start-issuer.ts';
import { replaceFile, type Service, startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const CALLERS = {
  root: { group: 'admins' },
  manager: { org: 'acme', team: 'data', group: 'managers' },
};

describe('the admin API of a governed registry', () => {
  let issuer: Issuer;
  let service: Service;
  const tokens = new Map<string, string>();

  const call = (caller: keyof typeof CALLERS, path: string, method = 'GET', body?: object) =>
    service.ask(path, { method, token: tokens.get(caller), ...(body ? { body } : {}) });

  beforeAll(async () => {
    issuer = await startIssuer({ callers: CALLERS });
    const role = [{ group: 'managers' }];
    service = await startService({
      sources: [
        inlineSource('alpha', ['com.acme/one'], { claims: { org: 'acme' } }),
        inlineSource('beta', ['com.acme/two'], { claims: { org: 'acme', team: ['data', 'platform'] } }),
        inlineSource('hidden', ['com.acme/three'], { claims: { org: 'other' } }),
        { name: 'published', managed: {}, claims: { team: ['data', 'platform'] } },
      ],
      registries: [
        { name: 'all', sources: ['alpha', 'beta', 'hidden', 'published'], claims: { org: 'acme' } },
        { name: 'own', sources: ['beta'], claims: { org: 'acme', team: ['data', 'platform'] } },
        { name: 'theirs', sources: ['hidden'], claims: { org: 'other' } },
      ],
      auth: {
        mode: 'oauth',
        oauth: { resourceUrl: 'http://127.0.0.1/', providers: [issuer.provider()] },
        authz: {
          roles: {
            superAdmin: [{ group: 'admins' }],
            manageSources: role,
            manageRegistries: role,
            manageEntries: role,
          },
        },
      },
    });
    for (const caller of Object.keys(CALLERS)) tokens.set(caller, await issuer.issue(caller));
  });
  afterAll(async () => {
    await service?.stop();
    await issuer?.close();
  });

  it(`${proves('C-12.8-01')} pages sources, registries and entries by limit and cursor`, async () => {
    for (const [path, member, count] of [
      ['/v1/sources', 'sources', 4],
      ['/v1/registries', 'registries', 3],
      ['/v1/registries/all/entries', 'entries', 3],
      ['/v1/sources/alpha/entries', 'entries', 1],
    ] as const) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await call('root', `${path}?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
        expect(page.json[member]).toHaveLength(1);
        expect(page.json.metadata.count).toBe(1);
        names.push(page.json[member][0].name);
        cursor = page.json.metadata.nextCursor;
      } while (cursor !== undefined);
      expect(new Set(names).size).toBe(count);
      const whole = await call('root', path);
      expect(whole.json[member].map(({ name }: { name: string }) => name)).toEqual(names);
      expect(whole.json.metadata).toEqual({ count });
      for (const query of ['limit=0', 'limit=1000', 'limit=x', 'cursor=junk']) {
        expect((await call('root', `${path}?${query}`)).status, `${path}?${query}`).toBe(400);
      }
    }
    const { nextCursor } = (await call('root', '/v1/sources?limit=1')).json.metadata;
    expect((await call('root', `/v1/registries?cursor=${nextCursor}`)).status).toBe(400);
  });

  it(`${proves('S-5.9-05')} reads, publishes and deletes by the visibility rule: one of several values is enough`, async () => {
    expect((await call('manager', '/v1/sources/beta')).status).toBe(200);
    expect((await call('manager', '/v1/sources/hidden')).status).toBe(404);
    expect((await call('manager', '/v1/registries/own')).status).toBe(200);
    expect((await call('manager', '/v1/registries/theirs')).status).toBe(404);
    const server = { name: 'com.acme/mine', description: 'Mine', version: '1.0.0' };
    const body = { server, claims: { team: 'data' } };
    expect((await call('manager', '/v1/entries', 'POST', body)).status).toBe(201);
    const wide = { claims: { team: ['data', 'platform'] } };
    expect((await call('root', '/v1/entries/server/com.acme%2Fmine/claims', 'PUT', wide)).status).toBe(204);
    const version = '/v1/entries/server/com.acme%2Fmine/versions/1.0.0';
    expect((await call('manager', version, 'DELETE')).status).toBe(204);
  });

  it(`${proves('C-6-56')} explains to a super-admin what the command explains`, async () => {
    for (const claims of [{ org: 'acme', team: 'web' }, { org: 'acme', team: 'data' }, { org: 'other' }]) {
      const entry = 'server/com.acme/two';
      const query = `registry=all&entry=${encodeURIComponent(entry)}&claims=${encodeURIComponent(JSON.stringify(claims))}`;
      const { status, json } = await call('root', `/v1/explain?${query}`);
      const args = ['--config', service.configFile, '--registry', 'all', '--entry', entry];
      const command = await runBerth([
        'explain',
        ...args,
        '--claims',
        JSON.stringify(claims),
        '--format',
        'json',
      ]);
      const { text, ...answer } = json;
      expect(status).toBe(200);
      expect(JSON.parse(command.stdout)).toMatchObject(answer);
      expect(text.at(-1)).toMatch(/^(not )?visible/);
    }
    expect((await call('manager', '/v1/explain?registry=all&entry=server/com.acme/two')).status).toBe(403);
  });

  it(`${proves('C-6-77')} does not let a name lead an API-created source to a private address`, async () => {
    let hits = 0;
    const inside = createServer((_request, response) => {
      hits++;
      response.end('[]');
    });
    await new Promise<void>((done) => inside.listen(0, done));
    onTestFinished(() => void inside.close());
    const { port } = inside.address() as AddressInfo;
    expect((await lookup(hostname())).address).toMatch(/^(127|10|172|192\.168|::1|f[cd])/);
    const source = {
      file: { url: `http://${hostname()}:${port}/catalog.json`, insecure: true },
      syncPolicy: { interval: '1h' },
      claims: { org: 'acme' },
    };
    expect((await call('manager', '/v1/sources/sneaky', 'PUT', source)).status).toBe(201);
    const status = await waitUntil(async () => {
      const { json } = await call('manager', '/v1/sources/sneaky');
      return json.status.phase === 'failed' && json.status;
    }, 'the sync to fail');
    expect(status.message).toMatch(/not public/);
    expect(hits).toBe(0);
    expect((await call('manager', '/v1/sources/sneaky', 'DELETE')).status).toBe(204);
  });
});

it(`${proves('C-1-08')} berth build fetches an api source once and writes its bundle`, async () => {
  const upstream = await startService({
    sources: [inlineSource('up', ['com.acme/one', 'com.acme/two'])],
    registries: [{ name: 'main', sources: ['up'] }],
    auth: { mode: 'anonymous' },
  });
  onTestFinished(() => upstream.stop());
  const dir = makeDirectory();
  const config = join(dir, 'registry.config.yaml');
  replaceFile(
    config,
    stringify({
      sources: [
        { name: 'copy', api: { endpoint: `${upstream.url}/registry/main` }, syncPolicy: { interval: '1h' } },
      ],
      registries: [{ name: 'main', sources: ['copy'] }],
      auth: { mode: 'anonymous' },
    }),
  );
  const built = await runBerth(['build', '--config', config]);
  expect(built.code, built.stderr).toBe(0);
  expect(built.stdout).toMatch(/^copy +2 +2 +0 .*changed$/m);
  const listed = await runBerth(['bundles', 'list', '--config', config]);
  expect(listed.stdout).toMatch(/^copy +[0-9a-f]{12} +current/m);
});
