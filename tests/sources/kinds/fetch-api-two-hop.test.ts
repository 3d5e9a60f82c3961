import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunningServer } from '../../../server/start-server.ts';
import { proves } from '../../requirements/proves.ts';
import { openService } from '../../server/docs/open-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { many, OLD } from './api-source.ts';
import { makeServer, makeSkill } from './fake-registry.ts';

const SKILLS = 'x/dev.toolhive/skills';
let first: RunningServer;
let second: RunningServer;

const itemSchema = z.looseObject({ _meta: z.record(z.string(), z.unknown()) });
const pageSchema = z.object({
  servers: z.array(itemSchema).optional(),
  skills: z.array(itemSchema).optional(),
  metadata: z.object({ nextCursor: z.string().optional() }),
});
const entriesSchema = z.object({ entries: z.array(z.looseObject({ claims: z.unknown() })) });
type Item = z.infer<typeof itemSchema>;

async function list(url: string, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const query = `include_deleted=true&limit=30${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const response = await fetch(`${url}/registry/public/v0.1/${path}?${query}`);
    expect(response.status).toBe(200);
    const body = pageSchema.parse(await response.json());
    items.push(...(body.servers ?? body.skills ?? []));
    cursor = body.metadata.nextCursor ?? '';
    if (cursor === '') return items;
  }
}

/** Items as they are but for where they came from, which is another source in each hop. */
async function listPlain(url: string, path: string): Promise<unknown[]> {
  return (await list(url, path)).map(({ _meta: { 'dev.berth/origin': _origin, ..._meta }, ...item }) => ({
    ...item,
    _meta,
  }));
}

async function send(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${first.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}

beforeAll(async () => {
  const servers = [
    ...many(70),
    makeServer('io.acme/old', '1.0.0', OLD, { status: 'deprecated' }),
    makeServer('io.acme/old', '2.0.0', '2025-03-01T00:00:00.000Z', { status: 'deleted' }),
    makeServer('io.acme/rich', '1.0.0', OLD, {
      server: { 'x-own': { kept: true }, icons: [{ src: 'https://acme.com/i.png', theme: 'dark' }] },
      meta: { 'com.acme/vendor': { kept: true } },
    }),
  ];
  const skills = [makeSkill('io.acme', 'pdf', '1.0.0', OLD), makeSkill('io.acme', 'pdf', '2.0.0', OLD)];
  const data = { servers: servers.map(({ item }) => item), skills: skills.map(({ item }) => item) };
  first = await openService({
    sources: [
      { name: 'catalog', file: { data }, syncPolicy: { interval: '1h' } },
      { name: 'published', managed: {} },
    ],
    registries: [{ name: 'public', sources: ['catalog', 'published'] }],
  });
  second = await openService({
    sources: [
      {
        name: 'upstream',
        api: { endpoint: `${first.url}/registry/public` },
        syncPolicy: { interval: '1s' },
        claims: { team: 'platform' },
      },
      {
        name: 'own',
        file: { data: { servers: many(1).map(({ item }) => item) } },
        syncPolicy: { interval: '1h' },
      },
    ],
    registries: [
      { name: 'public', sources: ['upstream'] },
      { name: 'without', sources: ['own'] },
    ],
  });
  await waitUntil(async () => (await list(second.url, 'servers')).length === 73, 'the first sync');
});

afterAll(async () => {
  await second?.close();
  await first?.close();
});

describe('api source: another instance of this service', () => {
  it(`${proves('C-8-05', 'S-1-03')} gives on what it read, item by item, to the registries that list it`, async () => {
    for (const path of ['servers', SKILLS, `${SKILLS}/io.acme/pdf/versions`]) {
      const there = await listPlain(first.url, path);
      expect(there.length).toBeGreaterThan(0);
      expect(await listPlain(second.url, path)).toEqual(there);
    }
    expect(await list(second.url, `${SKILLS}/io.acme/pdf/versions`)).toHaveLength(2);
    const [item] = await list(second.url, 'servers');
    expect(item?._meta['dev.berth/origin']).toMatchObject({ source: 'upstream' });
    const other = await fetch(`${second.url}/registry/without/v0.1/servers?limit=100`);
    expect(pageSchema.parse(await other.json()).servers).toHaveLength(1);
  });

  it(`${proves('S-2.2-10')} gives its entries the claims of the source`, async () => {
    const response = await fetch(`${second.url}/v1/sources/upstream/entries?limit=100`);
    const { entries } = entriesSchema.parse(await response.json());
    expect(entries).toHaveLength(73);
    for (const { claims } of entries) expect(claims).toEqual({ team: 'platform' });
  });

  it('follows what is published and changed there', async () => {
    const server = { name: 'io.acme/fresh', version: '1.0.0', description: 'Fresh.' };
    const skill = { namespace: 'io.acme', name: 'fresh', version: '1.0.0', description: 'Fresh.' };
    await send('POST', '/v1/entries', { server, claims: {} });
    await send('POST', '/v1/entries', { skill, claims: {} });
    await waitUntil(async () => (await list(second.url, 'servers')).length === 74, 'the new server');
    await waitUntil(async () => (await list(second.url, SKILLS)).length === 2, 'the new skill');
    await send('PATCH', '/v1/entries/server/io.acme%2Ffresh/versions/1.0.0', {
      status: 'deprecated',
      statusMessage: 'Use another.',
    });
    await waitUntil(async () => {
      const fresh = (await list(second.url, 'servers')).find(({ server: body }) =>
        JSON.stringify(body).includes('io.acme/fresh'),
      );
      return JSON.stringify(fresh?._meta).includes('Use another.');
    }, 'the new status');
    for (const path of ['servers', SKILLS])
      expect(await listPlain(second.url, path)).toEqual(await listPlain(first.url, path));
  });
});
