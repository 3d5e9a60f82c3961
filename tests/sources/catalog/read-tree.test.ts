import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { proves } from '../../requirements/proves.ts';
import { fetchedFile, fetchedTree, server, skill } from './fetched-text.ts';

const read = (files: Readonly<Record<string, string>>) =>
  readCatalog(fetchedTree(files), { sourceName: 'team' });
const json = (value: unknown) => JSON.stringify(value);
const skillMd = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\n# ${name}\n`;

describe('a directory', () => {
  it(`${proves('C-3-07', 'C-3-12')} holds server files at any depth, registry files of any name, and nothing else`, () => {
    const { entries, rejected } = read({
      'server.json': json(server('a/top')),
      'deep/down/server.yaml': 'name: a/yaml\ndescription: d\nversion: 1.0.0\n',
      'deep/server.yml': json([server('a/list')]),
      'z/all.json': json({ data: { servers: [server('a/file')] } }),
      'z/all.yml': 'data:\n  skills:\n    - {namespace: abc, name: s, description: d, version: 1.0.0}\n',
      'package.json': json({ name: 'x', version: '1.0.0', description: 'd' }),
      'page.json': json({ servers: [{ server: server('a/page') }] }),
      'my-server.json': json(server('a/other')),
      'notes.md': '# data servers',
    });
    expect(rejected).toEqual([]);
    expect(entries.map((entry) => entry.name)).toEqual(['a/yaml', 'a/list', 'a/top', 'a/file', 'abc/s']);
    expect(entries.map((entry) => entry.file)).toContain('deep/down/server.yaml');
  });

  it('serves the rest when files cannot be read', () => {
    const { entries, rejected } = read({
      'a/server.json': '{"name": "a/b"\n "x"}',
      'b/server.json': json(server('a/b')),
      'c/server.json': '[[',
      'd/server.json': '{"x":1}',
      'e.yaml': 'data: {servers: [\n',
      'tsconfig.json': '{ // no registry file\n}',
    });
    expect(entries.map((entry) => entry.name)).toEqual(['a/b']);
    expect(rejected.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'a/server.json:2',
      'c/server.json:1',
      'd/server.json:1',
      'e.yaml:2',
    ]);
    for (const { reason } of rejected) expect(reason.length).toBeGreaterThan(10);
  });

  it('reports a version that stands in two files, the first path wins', () => {
    const { entries, rejected } = read({
      'b/server.json': json(server('a/b')),
      'a/server.json': json(server('a/b', { title: 'A' })),
    });
    expect(entries.map((entry) => entry.body.title)).toEqual(['A']);
    expect(rejected).toEqual([
      {
        file: 'b/server.json',
        line: 1,
        reason: 'duplicate of a/b@1.0.0 in a/server.json:1; the first one is used',
      },
    ]);
  });

  it(`${proves('C-3-08')} gives a skill every file below it except those of a nested skill`, () => {
    const { entries, rejected } = read({
      'skills/outer/scripts/run.sh': 'echo',
      'skills/outer/SKILL.md': skillMd('outer'),
      'skills/outer/LICENSE.txt': 'free',
      'skills/outer/data.json': json({ data: { servers: [server('not/served')] } }),
      'skills/outer/inner/SKILL.md': skillMd('inner'),
      'skills/outer/inner/more.md': 'more',
      'skills/outer-two/SKILL.md': skillMd('outer-two'),
    });
    expect(rejected).toEqual([]);
    expect(entries.map((entry) => [entry.name, entry.files?.map((file) => file.path)])).toEqual([
      ['team/outer-two', ['SKILL.md']],
      ['team/outer', ['SKILL.md', 'LICENSE.txt', 'data.json', 'scripts/run.sh']],
      ['team/inner', ['SKILL.md', 'more.md']],
    ]);
  });

  it(`${proves('C-3-09')} rejects a skill that is not named as its directory, or has no front matter`, () => {
    const { entries, rejected } = read({
      'x/SKILL.md': '---\ndescription: d\nname: y\n---\n',
      'z/SKILL.md': '# z\n',
      'v/SKILL.md': '---\nname: v\n---\n',
    });
    expect(entries).toEqual([]);
    expect(rejected).toEqual([
      { file: 'v/SKILL.md', line: 1, reason: 'description: is missing' },
      { file: 'x/SKILL.md', line: 3, reason: 'name: must equal its directory, x' },
      {
        file: 'z/SKILL.md',
        line: 1,
        reason: 'SKILL.md must begin with YAML front matter between `---` lines',
      },
    ]);
  });

  it('lists what the source left out among the rejections', () => {
    const fetched = { ...fetchedTree({}), skipped: [{ path: 'big.json', reason: 'The file is too large.' }] };
    expect(readCatalog(fetched, { sourceName: 'team' }).rejected).toEqual([
      { file: 'big.json', line: 1, reason: 'The file is too large.' },
    ]);
  });

  it('is read the same whatever the order of the files', () => {
    const files = {
      'a/server.json': json(server('a/b')),
      's/SKILL.md': skillMd('s'),
      'c.json': json({ data: { skills: [skill('abc', 's')] } }),
    };
    const backwards = Object.fromEntries(Object.entries(files).reverse());
    expect(read(backwards)).toEqual(read(files));
  });
});

describe('a SKILL.md', () => {
  const one = (text: string, path = 'notes/SKILL.md') =>
    readCatalog(fetchedFile(text, path), { sourceName: 'team' });

  it(`${proves('C-3-10', 'C-3-11')} gives namespace, version, tools and the other metadata`, () => {
    const { entries, rejected } = one(
      '---\r\nname: notes\r\ndescription: >-\r\n  Takes\r\n  notes\r\nlicense: MIT\r\ncompatibility: any\r\nallowed-tools: Bash(git add:*) Read, Write\r\nmetadata:\r\n  version: 1.10\r\n  namespace: io.team\r\n  author: me\r\n  tags: a, b\r\n---\r\nbody',
    );
    expect(rejected).toEqual([]);
    expect(entries[0]).toMatchObject({
      type: 'skill',
      name: 'io.team/notes',
      version: '1.10',
      status: 'active',
      tags: ['a', 'b'],
    });
    expect(entries[0]?.body).toEqual({
      namespace: 'io.team',
      name: 'notes',
      description: 'Takes notes',
      version: '1.10',
      license: 'MIT',
      compatibility: 'any',
      allowedTools: ['Bash(git add:*)', 'Read', 'Write'],
      metadata: { author: 'me', tags: 'a, b' },
    });
  });

  it(`${proves('C-3-10', 'C-3-11')} falls back to 1.0.0 and the source, and takes a list of tools`, () => {
    const { entries } = one('---\nname: notes\ndescription: d\nallowed-tools: [Read, Bash]\n---\n');
    expect(entries[0]?.body).toEqual({
      namespace: 'team',
      name: 'notes',
      description: 'd',
      version: '1.0.0',
      allowedTools: ['Read', 'Bash'],
    });
  });

  it('needs no directory when none is known', () => {
    expect(one(skillMd('any'), 'SKILL.md').entries).toHaveLength(1);
  });

  it('says in which line the front matter breaks', () => {
    expect(one('---\nname: notes\ndescription: a: b: c\n---\n').rejected[0]).toMatchObject({ line: 3 });
  });

  it('is not slowed down by front matter without an end', () => {
    const start = performance.now();
    expect(one(`---\r\n${'a: b\r\n'.repeat(50_000)}`).rejected).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('several named files', () => {
  it('may each have any form', () => {
    const fetched = {
      ...fetchedTree({
        'x.json': json(server('a/b')),
        'y.json': json({ servers: [server('a/c')] }),
        'z.json': '{',
      }),
      layout: 'file' as const,
    };
    const { entries, rejected } = readCatalog(fetched, { sourceName: 'team' });
    expect(entries.map((entry) => entry.name)).toEqual(['a/b', 'a/c']);
    expect(rejected.map((rejection) => rejection.file)).toEqual(['z.json']);
  });
});
