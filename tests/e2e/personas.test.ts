import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import type { Ask, Reply } from '../support/http-client.ts';
import { type Issuer, startIssuer } from '../support/start-issuer.ts';
import { type Service, startService } from '../support/start-service.ts';
import { describeConfig, PERSONAS, REGISTRIES, SOURCES } from './personas/layout.ts';
import { identify, listNames, listVisible, type RawEntry, satisfies } from './personas/oracle.ts';

const SKILLS = 'x/dev.toolhive/skills';
let issuer: Issuer;
let service: Service;
const tokens = new Map<string, string>();

beforeAll(async () => {
  issuer = await startIssuer({ callers: Object.fromEntries(PERSONAS.map(({ id, claims }) => [id, claims])) });
  service = await startService(describeConfig(issuer.provider()));
  for (const { id } of PERSONAS) tokens.set(id, await issuer.issue(id));
});
afterAll(async () => {
  await service?.stop();
  await issuer?.close();
});

const as = (persona: string, path: string, how: Ask = {}): Promise<Reply> =>
  service.ask(path, { ...how, token: tokens.get(persona) });

/** What an answer says a version is, in the words of the oracle. */
// biome-ignore lint/suspicious/noExplicitAny: an item of an answer
function identifyItem(item: any): string {
  const { name, version, namespace, _meta } = item.server ?? item;
  const meta = item._meta ?? _meta;
  const full = namespace === undefined ? name : `${namespace}/${name}`;
  return identify({ source: meta['dev.berth/origin'].source, name: full, version });
}

async function walk(persona: string, path: string, query: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, json } = await as(persona, `${path}?${query}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(status).toBe(200);
    const items = json.servers ?? json.skills;
    expect(json.metadata.count).toBe(items.length);
    found.push(...items.map(identifyItem));
    cursor = json.metadata.nextCursor;
  } while (cursor !== undefined);
  return found;
}

const wanted = (entries: readonly RawEntry[]) => entries.map(identify).sort();

function groupByName(entries: readonly RawEntry[]): Map<string, RawEntry[]> {
  const groups = new Map<string, RawEntry[]>();
  for (const entry of entries) groups.set(entry.name, [...(groups.get(entry.name) ?? []), entry]);
  return groups;
}

describe.each(PERSONAS)('$id', (persona) => {
  const { id } = persona;
  const reachable = REGISTRIES.filter(({ claims }) => satisfies(persona, claims));

  it(`${proves('S-4-23', 'S-2.9-01', 'S-5.7-02')} is told who they are and which roles their claims give`, async () => {
    const { status, json } = await as(id, '/v1/me');
    expect(status).toBe(200);
    expect(json).toEqual({ subject: id, roles: persona.roles });
  });

  it(`${proves('C-5-02', 'S-5.7-10', 'S-7-10')} reaches exactly the registries whose claims they satisfy`, async () => {
    const { json } = await as(id, '/registry');
    expect(json.registries.map(({ name }: { name: string }) => name).sort()).toEqual(
      reachable.map(({ name }) => name).sort(),
    );
    for (const registry of REGISTRIES) {
      for (const path of ['v0.1/servers', `v0/${SKILLS}`, '.well-known/agent-skills/index.json', 'v0.1/no']) {
        const { status } = await as(id, `/registry/${registry.name}/${path}`);
        expect([403, 404, 200], path).toContain(status);
        expect(status === 403, `${registry.name} ${path}`).toBe(!reachable.includes(registry));
      }
    }
  });

  it.each(
    REGISTRIES.filter((registry) => reachable.includes(registry)),
  )(`${proves('S-2.4-01', 'S-2.4-03', 'S-2.4-04', 'S-5.7-03', 'S-5.7-11', 'S-2.2-07')} sees in $name every visible version once, and nothing else`, async (registry) => {
    const base = `/registry/${registry.name}/v0.1`;
    const servers = listVisible(registry, persona, 'server');
    expect((await walk(id, `${base}/servers`, 'limit=1000')).sort()).toEqual(wanted(servers));
    const skills = listVisible(registry, persona, 'skill');
    expect((await walk(id, `${base}/${SKILLS}`, 'limit=1000')).sort()).toEqual(wanted(skills));
    if (servers.length > 500) return;
    const narrow = await walk(id, `${base}/servers`, 'limit=7');
    expect(narrow).toEqual(await walk(id, `${base}/servers`, 'limit=100'));
  });

  it.each(
    REGISTRIES,
  )(`${proves('S-2.4-02', 'S-2.4-04')} reads in $name what is listed, unchanged, and is told 404 of the rest`, async (registry) => {
    if (!reachable.includes(registry)) {
      const [name = ''] = listNames(registry, 'server');
      const path = `/registry/${registry.name}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
      expect((await as(id, path)).status).toBe(403);
      return;
    }
    const visible = groupByName(listVisible(registry, persona, 'server'));
    const names = listNames(registry, 'server');
    const step = Math.max(1, Math.floor(names.length / 40));
    for (const name of names.filter((_, place) => place % step === 0)) {
      const path = `/registry/${registry.name}/v0.1/servers/${encodeURIComponent(name)}/versions`;
      const versions = visible.get(name);
      const list = await as(id, path);
      const latest = await as(id, `${path}/latest`);
      expect([list.status, latest.status], name).toEqual(versions ? [200, 200] : [404, 404]);
      if (!versions) continue;
      expect(list.json.servers.map(identifyItem).sort()).toEqual(wanted(versions));
      const same = versions.find(({ version }) => version === latest.json.server.version);
      expect(latest.json.server).toEqual(same?.raw);
    }
  });

  it.each(
    REGISTRIES,
  )(`${proves('S-5.7-11')} finds in $name all that is visible under a word, and nothing invisible`, async (registry) => {
    const visible = listVisible(registry, persona, 'server');
    for (const word of ['github', 'filesystem', 'database', 'grafana']) {
      const path = `/registry/${registry.name}/v0.1/servers?search=${word}&limit=1000`;
      const { status, json } = await as(id, path);
      if (!reachable.includes(registry)) {
        expect(status).toBe(403);
        continue;
      }
      const found: string[] = json.servers.map(identifyItem);
      const all = new Set(wanted(visible));
      expect(found.filter((one) => !all.has(one))).toEqual([]);
      const bare = visible.filter(({ name }) => name.endsWith(`/${word}`));
      expect(found).toEqual(expect.arrayContaining(wanted(bare)));
    }
  });

  it.each(REGISTRIES)('is offered in $name the visible skills for installation, with their digests', async ({
    name,
  }) => {
    const registry = REGISTRIES.find((one) => one.name === name);
    const base = `/registry/${name}/.well-known/agent-skills`;
    const index = await as(id, `${base}/index.json`);
    if (!registry || !reachable.includes(registry)) return expect(index.status).toBe(403);
    const skills = listVisible(registry, persona, 'skill');
    expect(index.json.skills.map((one: { name: string }) => one.name).sort()).toEqual(
      [...new Set(skills.map((skill) => skill.name.replace(/^.*\//, '')))].sort(),
    );
    for (const { name: skill, type, url, digest } of index.json.skills) {
      const file = await fetch(new URL(url, `${service.url}${base}/index.json`), {
        headers: { Authorization: `Bearer ${tokens.get(id)}` },
      });
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
      const { directory = '' } = skills.find((one) => one.name.endsWith(`/${skill}`)) ?? {};
      expect(type, skill).toBe(readdirSync(directory).length === 1 ? 'skill-md' : 'archive');
      if (type === 'skill-md') expect(bytes).toEqual(readFileSync(join(directory, 'SKILL.md')));
    }
  });

  it(`${proves('S-2.2-01', 'S-2.2-07', 'S-5.7-02')} administers exactly the sources and registries they may see`, async () => {
    for (const [kind, role, all] of [
      ['sources', 'manageSources', SOURCES],
      ['registries', 'manageRegistries', REGISTRIES],
    ] as const) {
      const list = await as(id, `/v1/${kind}`);
      const allowed = persona.roles.includes(role) || persona.roles.includes('superAdmin');
      expect(list.status).toBe(allowed ? 200 : 403);
      const seen = all.filter(({ claims }) => allowed && satisfies(persona, claims)).map(({ name }) => name);
      if (allowed) {
        expect(list.json[kind].map(({ name }: { name: string }) => name).sort()).toEqual([...seen].sort());
      }
      for (const { name } of all) {
        const one = await as(id, `/v1/${kind}/${name}`);
        expect(one.status, name).toBe(allowed ? (seen.includes(name) ? 200 : 404) : 403);
      }
    }
  });
});
