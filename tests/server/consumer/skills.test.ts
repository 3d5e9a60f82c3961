import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, readSkill, readSkills, startBench } from '../../support/consumer-bench.ts';
import { makeServer, makeSkill } from '../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const SKILLS = '/registry/main/v0.1/x/dev.toolhive/skills';
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

async function start(): Promise<ConsumerBench> {
  const body = {
    license: 'MIT',
    allowedTools: ['Bash'],
    metadata: { x: 1 },
    _meta: { 'com.vendor/x': { y: 2 } },
  };
  const first = await makeSegment('first', [
    makeSkill('com.acme/deploy', '1.0.0'),
    makeSkill('com.acme/deploy', '1.10.0', { body, tags: ['ops'] }),
    makeSkill('com.acme/deploy', '2.0.0-rc.1'),
    makeSkill('com.acme/old', '1.0.0', { status: 'deprecated', tags: ['ops'], body: { status: 'archived' } }),
    makeSkill('com.acme/gone', '1.0.0', { status: 'deleted' }),
    makeSkill('com.umbra/deploy', '5.0.0'),
    makeServer('com.acme/deploy', '7.0.0'),
  ]);
  const second = await makeSegment('second', [
    makeSkill('com.acme/deploy', '9.0.0'),
    makeSkill('x.y/review', '1.0.0'),
  ]);
  return startBench(makeWorld({ main: { segments: [first, second] } }));
}

const list = async (bench: ConsumerBench, query = '') =>
  readSkills(await bench.ask(`${SKILLS}${query}`)).skills.map((s) => `${s.namespace}/${s.name}@${s.version}`);

describe('GET /x/dev.toolhive/skills', () => {
  it(`${proves('C-5-24', 'S-2.4-01')} lists the latest version of each skill, and no server`, async () => {
    const bench = await start();
    const reply = await bench.ask(SKILLS);
    expect(await list(bench)).toEqual([
      'com.acme/deploy@1.10.0',
      'com.acme/old@1.0.0',
      'com.umbra/deploy@5.0.0',
      'x.y/review@1.0.0',
    ]);
    expect(readSkills(reply).metadata).toEqual({ count: 4 });
    expect((await bench.ask(`${SKILLS}/`)).body).toEqual(reply.body);
    expect((await bench.ask(SKILLS.replace('v0.1', 'v0'))).body).toEqual(reply.body);
  });

  it(`${proves('C-12.7-01', 'C-5-27')} gives the fields of a skill at the top, with status and _meta`, async () => {
    const bench = await start();
    const skill = readSkill(await bench.ask(`${SKILLS}/com.acme/deploy`));
    const { _meta, ...fields } = skill;
    expect(fields).toEqual({
      namespace: 'com.acme',
      name: 'deploy',
      description: 'Skill deploy',
      version: '1.10.0',
      license: 'MIT',
      allowedTools: ['Bash'],
      metadata: { x: 1 },
      status: 'active',
    });
    expect(Object.keys(_meta)).toEqual(['com.vendor/x', OFFICIAL, 'dev.berth/origin']);
    expect(_meta[OFFICIAL]).toMatchObject({ status: 'active', isLatest: true });
    const old = readSkill(await bench.ask(`${SKILLS}/com.acme/old`));
    expect([old.status, old._meta[OFFICIAL]]).toEqual([
      'archived',
      expect.objectContaining({ status: 'deprecated' }),
    ]);
  });

  it(`${proves('C-5-25')} pages by limit and cursor`, async () => {
    const bench = await start();
    const seen: string[] = [];
    let query = '?limit=1';
    for (let pages = 0; pages < 4; pages++) {
      const page = readSkills(await bench.ask(`${SKILLS}${query}`));
      expect(page.skills).toHaveLength(1);
      seen.push(...page.skills.map((s) => `${s.namespace}/${s.name}`));
      query = `?limit=1&cursor=${page.metadata.nextCursor}`;
      expect(page.metadata.nextCursor === undefined).toBe(pages === 3);
    }
    expect(seen).toEqual(['com.acme/deploy', 'com.acme/old', 'com.umbra/deploy', 'x.y/review']);
    expect((await bench.ask(`${SKILLS}?limit=101`)).status).toBe(400);
  });

  it(`${proves('C-5-26')} narrows by search, status and tag`, async () => {
    const bench = await start();
    expect(await list(bench, '?search=deploy')).toEqual(['com.acme/deploy@1.10.0', 'com.umbra/deploy@5.0.0']);
    expect(await list(bench, '?search=deplpy+acme')).toEqual(['com.acme/deploy@1.10.0']);
    expect(await list(bench, '?status=deprecated')).toEqual(['com.acme/old@1.0.0']);
    expect(await list(bench, '?status=active&tag=ops')).toEqual(['com.acme/deploy@1.10.0']);
    expect(await list(bench, '?status=deleted')).toEqual(['com.acme/gone@1.0.0']);
    expect(await list(bench, '?tag=none')).toEqual([]);
    const reply = await bench.ask(`${SKILLS}?status=archived`);
    expect([reply.status, JSON.parse(String(reply.body)).code]).toEqual([400, 'status_invalid']);
  });

  it(`${proves('C-5-28', 'C-5-29', 'C-5-30')} answers the versions of a skill, one of them, and 404 for what it does not have`, async () => {
    const bench = await start();
    expect(await list(bench, '/com.acme/deploy/versions')).toEqual([
      'com.acme/deploy@2.0.0-rc.1',
      'com.acme/deploy@1.10.0',
      'com.acme/deploy@1.0.0',
    ]);
    expect(readSkill(await bench.ask(`${SKILLS}/com.acme/deploy/versions/1.0.0`)).version).toBe('1.0.0');
    expect(readSkill(await bench.ask(`${SKILLS}/com.acme/deploy/versions/latest`)).version).toBe('1.10.0');
    for (const path of [
      '/com.acme/none',
      '/com.acme/none/versions',
      '/com.acme/deploy/versions/9.0.0',
      '/com.none/deploy',
      '/com.acme/gone',
      '/com.acme',
      '/com.acme/deploy/other',
      '/com.acme/deploy/versions/1.0.0/x',
    ]) {
      expect((await bench.ask(`${SKILLS}${path}`)).status, path).toBe(404);
    }
    expect(await list(bench, '/com.acme/gone/versions?include_deleted=true')).toEqual([
      'com.acme/gone@1.0.0',
    ]);
    for (const path of ['/com.acme/%20', '/a%2Fb/c', '/com.acme/x/versions/%20', '/%zz/x']) {
      expect((await bench.ask(`${SKILLS}${path}`)).status, path).toBe(400);
    }
  });
});

it(`${proves('C-12.4-01')} finds servers and skills by the tags and tools any vendor gives any id`, async () => {
  const described = (vendor: string, id: string, member: object) => ({
    _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { [vendor]: { [id]: member } } },
  });
  const data = {
    servers: [
      {
        name: 'a.a/x',
        description: 'One',
        version: '1.0.0',
        ...described('com.one', 'ghcr.io/a/x:1', { tags: ['graphs'] }),
      },
      {
        name: 'b.b/x',
        description: 'Two',
        version: '1.0.0',
        ...described('org.two', 'https://b.b/mcp', { tools: ['draw_chart'] }),
      },
    ],
    skills: [
      {
        namespace: 'com.acme',
        name: 'plot',
        description: 'Three',
        version: '1.0.0',
        ...described('any', 'thing', { tags: ['graphs'] }),
      },
    ],
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ version: '1.0.0', meta: {}, data }));
  const fetched = {
    layout: 'file' as const,
    files: [{ path: 'registry.json', bytes }],
    origin: { kind: 'file' as const },
    digest: '',
  };
  const { entries, rejected } = readCatalog(fetched, { sourceName: 's' });
  expect(rejected).toEqual([]);
  const bench = await startBench(makeWorld({ main: { segments: [await makeSegment('s', entries)] } }));
  const namesOf = async (query: string) => {
    const { body } = await bench.ask(`/registry/main/v0.1/servers?${query}`);
    return [...body.toString().matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name);
  };
  expect(await namesOf('tag=graphs')).toEqual(['a.a/x']);
  expect(await namesOf('search=chart')).toEqual(['b.b/x']);
  expect(await list(bench, '?tag=graphs')).toEqual(['com.acme/plot@1.0.0']);
});
