import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, readJson, startBench } from '../../support/consumer-bench.ts';
import { makeFile, makeSkill } from '../../support/make-entry.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const BASE = '/registry/main/.well-known/agent-skills/';
/** What the `skills` client insists on before it takes an entry. */
const indexSchema = z.strictObject({
  $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
  skills: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      type: z.enum(['skill-md', 'archive']),
      description: z.string().min(1).max(1024),
      url: z.string(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  ),
});

const MARKDOWN = '---\nname: solo\ndescription: Skill solo\n---\n\nÄ body.\n';

async function start(): Promise<ConsumerBench> {
  const lone = [makeFile('SKILL.md', MARKDOWN)];
  const many = [
    makeFile('SKILL.md', 'm'),
    makeFile('references/a.md', 'a'),
    makeFile('scripts/run.sh', '#!/bin/sh\n'),
  ];
  const open = await makeSegment(
    'open',
    [
      makeSkill('com.acme/solo', '1.0.0', { files: [makeFile('SKILL.md', 'old')] }),
      makeSkill('com.acme/solo', '1.1.0', { files: lone }),
      makeSkill('com.acme/whole', '1.0.0', { files: many }),
      makeSkill('com.acme/described', '1.0.0'),
      makeSkill('com.acme/gone', '1.0.0', { files: lone, status: 'deleted' }),
      makeSkill('com.zeta/solo', '1.0.0', { files: many }),
    ],
    { org: 'acme' },
  );
  const team = await makeSegment('team', [makeSkill('com.acme/secret', '1.0.0', { files: lone })], {
    org: 'acme',
    team: 'blue',
  });
  const callers = { plain: makeIdentity({ org: 'acme' }), blue: makeIdentity({ org: 'acme', team: 'blue' }) };
  return startBench(makeWorld({ main: { segments: [open, team], claims: { org: 'acme' } } }), { callers });
}

async function readIndex(bench: ConsumerBench, as = 'plain') {
  return indexSchema.parse(readJson(await bench.ask(`${BASE}index.json`, { as }))).skills;
}

async function listArchive(bytes: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const reading = extract();
  reading.end(bytes);
  for await (const entry of reading) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
    files[entry.header.name] = Buffer.concat(chunks).toString();
  }
  return files;
}

describe('agent-skills discovery', () => {
  it(`${proves('C-5-31', 'C-12.7-02')} lists the latest version of each skill that has files: lone ones as skill-md, others as archive`, async () => {
    const skills = await readIndex(await start());
    expect(skills.map(({ name, type, description }) => [name, type, description])).toEqual([
      ['solo', 'skill-md', 'Skill solo'],
      ['whole', 'archive', 'Skill whole'],
    ]);
  });

  it(`${proves('C-5-32', 'C-12.7-03')} serves each artefact below the index, with the digest the index says`, async () => {
    const bench = await start();
    for (const { url, digest, type } of await readIndex(bench)) {
      const location = new URL(url, `https://registry.example${BASE}index.json`);
      expect(location.origin).toBe('https://registry.example');
      expect(location.pathname.startsWith(BASE)).toBe(true);
      for (const encoding of ['identity', 'gzip', 'br']) {
        const file = await bench.ask(location.pathname, {
          as: 'plain',
          headers: { 'Accept-Encoding': encoding },
        });
        expect(file.status).toBe(200);
        expect(`sha256:${createHash('sha256').update(file.body).digest('hex')}`).toBe(digest);
        const mediaType = type === 'archive' ? 'application/gzip' : 'text/markdown; charset=utf-8';
        expect(file.headers['content-type']).toBe(mediaType);
        expect(file.headers['x-content-type-options']).toBe('nosniff');
      }
    }
  });

  it(`${proves('C-12.7-02')} gives a lone SKILL.md as it was written and all files of the others in a tar.gz`, async () => {
    const bench = await start();
    expect(String((await bench.ask(`${BASE}solo/SKILL.md`, { as: 'plain' })).body)).toBe(MARKDOWN);
    const archive = await bench.ask(`${BASE}whole.tar.gz`, { as: 'plain' });
    expect(archive.headers['content-encoding']).toBeUndefined();
    expect(await listArchive(gunzipSync(archive.body))).toEqual({
      'SKILL.md': 'm',
      'references/a.md': 'a',
      'scripts/run.sh': '#!/bin/sh\n',
    });
  });

  it(`${proves('S-5.8-02')} offers nobody what they may not see`, async () => {
    const bench = await start();
    expect((await readIndex(bench, 'blue')).map(({ name }) => name)).toEqual(['secret', 'solo', 'whole']);
    expect((await bench.ask(`${BASE}secret/SKILL.md`, { as: 'blue' })).status).toBe(200);
    const hidden = await bench.ask(`${BASE}secret/SKILL.md`, { as: 'plain' });
    expect([hidden.status, JSON.parse(String(hidden.body)).code]).toEqual([404, 'skill_file_not_found']);
  });

  it('has no other files and answers no path outside', async () => {
    const bench = await start();
    for (const path of [
      'gone/SKILL.md',
      'solo.tar.gz',
      'whole/SKILL.md',
      'described/SKILL.md',
      '',
      'solo',
      '../index.json',
      '%2e%2e/index.json',
      'solo/SKILL.md/x',
      'index.json/x',
    ]) {
      expect((await bench.ask(`${BASE}${path}`, { as: 'plain' })).status, path).toBe(404);
    }
    expect((await bench.ask('/registry/main/.well-known/other', { as: 'plain' })).status).toBe(404);
  });
});
