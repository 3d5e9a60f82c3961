import { describe, expect, it } from 'vitest';
import { createCatalogReader } from '../../../../server/site/catalog/create-catalog-reader.ts';
import { startBench } from '../../../support/consumer-bench.ts';
import { makeFile, makeServer, makeSkill } from '../../../support/make-entry.ts';
import { makeIdentity } from '../../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../../support/make-world.ts';
import { admitted, walkPages } from './walk-pages.ts';

const BASE = 'https://mcp.example.com';
const CALLERS = {
  plain: makeIdentity({ org: 'acme' }),
  blue: makeIdentity({ org: 'acme', team: 'blue' }),
};
const lone = [makeFile('SKILL.md', 'm')];
const many = [...lone, makeFile('scripts/run.sh', '#!/bin/sh\n')];
const git = {
  registryType: 'git',
  url: 'https://github.com/acme/skills',
  commit: '0123456789abcdef0123456789abcdef01234567',
  subfolder: 'described',
};

async function open(as: keyof typeof CALLERS) {
  const team = await makeSegment('team', [makeSkill('com.acme/solo', '3.0.0', { files: many })], {
    team: 'blue',
  });
  const shared = await makeSegment(
    'shared',
    [
      makeServer('com.acme/solo'),
      makeSkill('com.acme/solo', '1.0.0', { files: lone }),
      makeSkill('com.acme/solo', '1.1.0', { files: lone, body: { license: 'MIT', allowedTools: ['Read'] } }),
      makeSkill('com.acme/described', '1.0.0', { body: { packages: [git], compatibility: 'any agent' } }),
      makeSkill('com.acme/sideways', '1.0.0', {
        body: { packages: [{ ...git, url: 'javascript:alert(1)' }] },
      }),
      makeSkill('com.zeta/solo', '1.0.0', { files: many }),
      makeSkill('com.zeta/gone', '1.0.0', { files: many, status: 'deleted' }),
    ],
    { org: 'acme' },
  );
  const world = makeWorld({ main: { segments: [team, shared], claims: { org: 'acme' } } });
  const reader = createCatalogReader({ world: () => world, identity: CALLERS[as], baseUrl: BASE });
  const read = (name: string, version?: string) => admitted(reader.readEntry('main', 'skill', name, version));
  return { reader, read, bench: await startBench(world, { callers: CALLERS }) };
}

describe('createCatalogReader, skills', () => {
  it('lists the latest versions, apart from servers of the same name', async () => {
    const { reader } = await open('plain');
    const cards = walkPages(reader, 'main', { type: 'skill' }, 2);
    expect(cards.map(({ name, version }) => `${name}@${version}`)).toEqual([
      'com.acme/described@1.0.0',
      'com.acme/sideways@1.0.0',
      'com.acme/solo@1.1.0',
      'com.zeta/solo@1.0.0',
    ]);
    expect(cards[0]).toMatchObject({
      type: 'skill',
      transports: [],
      packages: ['git'],
      href: '/catalog/main/skills/com.acme/described',
    });
  });

  it('tells what a skill is, with a download that discovery answers', async () => {
    const { read, bench } = await open('plain');
    const { skill, server, snippets, versions, links } = read('com.acme/solo');
    expect(server).toBeUndefined();
    expect(links).toEqual([]);
    expect(versions.map(({ version, href }) => [version, href])).toEqual([
      ['1.1.0', '/catalog/main/skills/com.acme/solo'],
      ['1.0.0', '/catalog/main/skills/com.acme/solo/1.0.0'],
    ]);
    expect(skill).toMatchObject({ license: 'MIT', allowedTools: ['Read'], packages: [] });
    expect(skill?.download).toBe(`${BASE}/registry/main/.well-known/agent-skills/solo/SKILL.md`);
    const reply = await bench.ask(new URL(skill?.download ?? '').pathname, { as: 'plain' });
    expect(reply.body.toString()).toBe('m');
    expect(snippets).toEqual([
      {
        label: 'npx skills',
        language: 'sh',
        text: `npx skills add ${BASE}/registry/main --skill solo`,
      },
    ]);
  });

  it('offers no download of an older version, of a bare name that another skill has, or of what has no files', async () => {
    const { read } = await open('plain');
    expect(read('com.acme/solo', '1.0.0').skill?.download).toBeUndefined();
    expect(read('com.zeta/solo').skill?.download).toBeUndefined();
    expect(read('com.acme/described').skill?.download).toBeUndefined();
  });

  it('offers the files of the version that hides the others from this viewer', async () => {
    const { read, bench } = await open('blue');
    const { download } = read('com.acme/solo').skill ?? {};
    expect(download).toBe(`${BASE}/registry/main/.well-known/agent-skills/solo.tar.gz`);
    expect((await bench.ask(new URL(download ?? '').pathname, { as: 'blue' })).status).toBe(200);
  });

  it('installs from the repository a skill names when this registry has no files, over https only', async () => {
    const { read } = await open('plain');
    const described = read('com.acme/described');
    expect(described.skill).toMatchObject({
      compatibility: 'any agent',
      packages: [{ type: 'git', text: `https://github.com/acme/skills ${git.commit} described` }],
    });
    expect(described.snippets.map(({ text }) => text)).toEqual([
      'npx skills add https://github.com/acme/skills --skill described',
    ]);
    expect(read('com.acme/sideways').snippets).toEqual([]);
  });
});
