import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { type LoopbackIdp, startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import type { Ask } from '../support/http-client.ts';
import { readJsonLines, type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SERVERS = '/registry/tools/v0.1/servers';
const SKILLS = '/registry/tools/v0.1/x/dev.toolhive/skills';
const SKILL = '---\nname: greet\ndescription: Greets\nmetadata:\n  namespace: com.acme\n---\nSay hello.\n';
let idp: LoopbackIdp;
let service: Service;
let member: string;

function describeConfig(audit: object): object {
  return {
    sources: [
      inlineSource('tools', ['com.acme/one'], { claims: { org: 'acme' } }),
      { name: 'team', file: { path: 'team' }, syncPolicy: { interval: '1h' }, claims: { org: 'acme' } },
      { name: 'published', managed: {}, claims: { org: 'acme' } },
    ],
    registries: [{ name: 'tools', sources: ['tools', 'team', 'published'], claims: { org: 'acme' } }],
    auth: {
      oauth: { resourceUrl: 'http://registry.example.test', providers: [idp.provider()] },
      authz: { roles: { manageEntries: [{ group: 'writers' }] } },
    },
    audit: { enabled: true, logFile: 'audit.log', ...audit },
  };
}

async function serve(audit: object = {}): Promise<Service> {
  const prepare = (dir: string) => {
    mkdirSync(join(dir, 'team', 'greet'), { recursive: true });
    writeFileSync(join(dir, 'team', 'greet', 'SKILL.md'), SKILL);
    writeFileSync(join(dir, 'team', 'registry.json'), makeCatalog(['com.acme/two']));
  };
  return startService(describeConfig(audit), { prepare });
}

beforeAll(async () => {
  idp = await startIdp();
  member = idp.mint({ sub: 'ann', org: 'acme', group: 'writers' });
  service = await serve();
});
afterAll(async () => {
  await service?.stop();
  await idp?.close();
});

const lines = (of = service, file = 'audit.log') => readJsonLines(join(of.dir, file));

/** Asks, and waits for the line about it. */
// biome-ignore lint/suspicious/noExplicitAny: a line of the audit log
async function audited(path: string, how: Ask = {}, of = service): Promise<any> {
  const reply = await of.ask(path, how);
  const id = reply.headers.get('x-request-id');
  const find = () => lines(of).find(({ metadata }) => metadata.request_id === id);
  const line = await waitUntil(find, `the line of ${path}`, 3000);
  return { reply, line };
}

describe('the audit file', () => {
  it(`${proves('C-2-66', 'C-11-12')} stands where it was asked for, for its owner only`, async () => {
    await audited('/v1/me');
    expect(statSync(join(service.dir, 'audit.log')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['server.list', SERVERS, {}],
    [
      'server.read',
      `${SERVERS}/com.acme%2Fone/versions/latest`,
      { resource_name: 'com.acme/one', version: 'latest' },
    ],
    ['server.versions.list', `${SERVERS}/com.acme%2Fone/versions`, { resource_name: 'com.acme/one' }],
    ['skill.list', SKILLS, {}],
    ['skill.read', `${SKILLS}/com.acme/greet`, { resource_name: 'com.acme/greet' }],
    ['skill.versions.list', `${SKILLS}/com.acme/greet/versions`, { resource_name: 'com.acme/greet' }],
  ])(`${proves('C-11-01', 'C-11-02', 'C-11-03', 'C-12.13-02', 'C-12.13-03')} holds a line for %s, with who, what and how it ended`, async (type, path, target) => {
    const { reply, line } = await audited(path, {
      token: member,
      headers: { 'User-Agent': 'test-client', 'Accept-Encoding': 'identity' },
    });
    expect(line).toMatchObject({
      type,
      outcome: reply.status === 200 ? 'success' : 'failure',
      component: 'berth',
      source: { value: '127.0.0.1', extra: { user_agent: 'test-client' } },
      subjects: { sub: 'ann', roles: ['manageEntries'] },
      target: { method: 'GET', path, registry: 'tools', resource_type: type.split('.')[0], ...target },
    });
    expect(line.audit_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Date.parse(line.logged_at) - Date.now())).toBeLessThan(10_000);
    expect(line.metadata.duration_ms).toBeGreaterThanOrEqual(0);
    expect(line.metadata.response_bytes).toBe(Buffer.byteLength(reply.text));
  });

  it(`${proves('C-11-07')} holds user.info`, async () => {
    const { reply, line } = await audited('/v1/me', { token: member });
    expect(line).toMatchObject({ type: 'user.info', outcome: 'success', subjects: { sub: 'ann' } });
    expect(line.metadata.response_bytes).toBe(Buffer.byteLength(reply.text));
  });

  it(`${proves('C-12.13-01')} holds denials: the gate, and a missing role`, async () => {
    const outsider = idp.mint({ sub: 'eve', org: 'globex' });
    const gate = await audited(SERVERS, { token: outsider });
    expect(gate.reply.status).toBe(403);
    expect(gate.line).toMatchObject({ outcome: 'denied', subjects: { sub: 'eve', roles: [] } });
    const role = await audited('/v1/sources/tools', { token: member });
    expect(role.reply.status).toBe(403);
    expect(role.line).toMatchObject({
      type: 'source.read',
      outcome: 'denied',
      target: { resource_name: 'tools' },
    });
  });

  it(`${proves('C-11-08')} holds refused tokens, without the token`, async () => {
    const token = idp.mint({ aud: 'another' });
    for (const path of [SERVERS, '/v1/me']) {
      for (const how of [{}, { token }]) {
        const { line } = await audited(path, how);
        expect(line).toMatchObject({
          type: 'auth.unauthenticated',
          outcome: 'denied',
          subjects: { sub: 'anonymous' },
        });
      }
    }
    expect(JSON.stringify(lines())).not.toContain(token.split('.')[1]);
  });

  it(`${proves('C-11-09')} holds syncs that completed and that failed`, async () => {
    const ofTeam = (type: string) =>
      lines().filter((line) => line.type === type && line.target.resource_name === 'team');
    expect(ofTeam('sync.completed')[0]).toMatchObject({
      outcome: 'success',
      target: { resource_type: 'source' },
    });
    rmSync(join(service.dir, 'team'), { recursive: true });
    const failed = await waitUntil(() => ofTeam('sync.failed')[0], 'the failure');
    expect(failed).toMatchObject({ outcome: 'failure', subjects: { sub: 'berth' } });
    expect(failed.data.code).toMatch(/^[a-z_]+$/);
  });

  it(`${proves('C-11-10')} holds reloads and refused edits`, async () => {
    service.configure('nothing: good');
    await waitUntil(() => lines().find(({ type }) => type === 'config.rejected'), 'the refusal');
    service.configure(describeConfig({}));
    await waitUntil(() => lines().find(({ type }) => type === 'config.reloaded'), 'the reload');
  });

  it(`${proves('C-11-13')} is opened anew on SIGHUP`, async () => {
    const path = join(service.dir, 'audit.log');
    await audited('/v1/me', { token: member });
    renameSync(path, `${path}.1`);
    service.signal('SIGHUP');
    await waitUntil(() => existsSync(path), 'the new file');
    const before = lines(service, 'audit.log.1').length;
    await audited('/v1/me', { token: member });
    expect(lines(service, 'audit.log.1')).toHaveLength(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('the choice of events', () => {
  it(`${proves('C-2-67')} is made by eventTypes and excludeEventTypes`, async () => {
    const other = await serve({
      eventTypes: ['user.info', 'server.list'],
      excludeEventTypes: ['server.list'],
    });
    onTestFinished(() => other.stop());
    await other.ask(SERVERS, { token: member });
    await other.ask('/v1/sources', { token: member });
    await audited('/v1/me', { token: member }, other);
    expect(lines(other).map(({ type }) => type)).toEqual(['user.info']);
  });

  it(`${proves('C-2-68')} takes request data with it only when asked, cut at maxDataSize`, async () => {
    const other = await serve({ includeRequestData: true, maxDataSize: 150 });
    onTestFinished(() => other.stop());
    const publish = (name: string, description: string) => ({
      token: member,
      method: 'POST',
      body: { server: { name, description, version: '1.0.0' }, claims: { org: 'acme' } },
    });
    const small = await audited('/v1/entries', publish('com.acme/small', 'd'), other);
    expect(small.reply.status).toBe(201);
    expect(small.line.data).toMatchObject({ server: { name: 'com.acme/small' } });
    const big = await audited('/v1/entries', publish('com.acme/big', 'd'.repeat(90)), other);
    expect(Buffer.byteLength(String(big.line.data))).toBeLessThanOrEqual(150);
    const silent = await audited('/v1/entries', publish('com.acme/silent', 'd'));
    expect(silent.line.data).toBeUndefined();
  });

  it(`${proves('C-2-66')} is nothing without audit.enabled`, async () => {
    const other = await serve({ enabled: false });
    onTestFinished(() => other.stop());
    await other.ask('/v1/me', { token: member });
    expect(existsSync(join(other.dir, 'audit.log'))).toBe(false);
  });
});
