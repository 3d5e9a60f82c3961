import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { makeRepository } from '../sources/kinds/git-repository.ts';
import { runBerth } from './run-berth.ts';
import {
  enterDirectory,
  fileSource,
  gitSource,
  listServers,
  makeConfig,
  makeServerJson,
} from './working-directory.ts';

const ONE = makeServerJson('io.x/one');

describe('berth validate', () => {
  it(`${proves('C-1-12', 'C-1-15')} accepts what is right and writes nothing`, async () => {
    const dir = enterDirectory();
    dir.write('a.json', listServers(ONE));
    dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json'), { name: 'm', managed: {} }]));
    const before = readdirSync('.', { recursive: true });
    const { code, lines } = await runBerth(['validate']);
    expect({ code, lines }).toEqual({ code: 0, lines: ['valid: 1 valid entry version, 0 problems'] });
    expect(readdirSync('.', { recursive: true })).toEqual(before);
  });

  it(`${proves('C-1-14', 'C-1-15', 'C-12.2-07')} prints problems of the configuration with place and fix`, async () => {
    const dir = enterDirectory();
    dir.write(
      'my.yaml',
      'sources:\n  - name: a\n    file: { path: a.json }\n    syncPolicy: { interval: soon }\nregistrys: []\n',
    );
    const { code, lines } = await runBerth(['validate', '--config', 'my.yaml']);
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^my\.yaml:4:29: .*must be a duration such as 30s/));
    expect(lines).toContainEqual(expect.stringMatching(/^my\.yaml:5:1: .*Did you mean "registries"\?/));
    expect(lines.at(-1)).toMatch(/^not valid: .* problems$/);
  });

  it(`${proves('C-12.2-07')} gives the line of an entry in a catalog, below the working directory and outside`, async () => {
    const dir = enterDirectory();
    dir.write('conf/catalogs/team/a.json', listServers(ONE, makeServerJson('bad')));
    dir.write('conf/registry.config.yaml', makeConfig([fileSource('a', 'catalogs')]));
    const catalog = { data: { servers: [] }, version: '1.0.0' };
    dir.write('conf/catalogs/other.json', catalog);
    dir.write(
      'conf/catalogs/team/a.json',
      `{"version":"1.0.0","data":{"servers":[\n${JSON.stringify(ONE)},\n{"name":"bad"}]}}`,
    );
    const inside = await runBerth(['validate', '--config', 'conf/registry.config.yaml']);
    expect(inside.lines[0]).toMatch(/^conf\/catalogs\/team\/a\.json:3:1: .*Repair the entry/);
    process.chdir('conf/catalogs/team');
    const outside = await runBerth(['validate', '--config', '../../registry.config.yaml']);
    expect(outside.lines[0]).toMatch(/^a\.json:3:1: /);
    process.chdir(dir.path);
  });

  it('gives the line of an entry inside the configuration, as text and as an object', async () => {
    const dir = enterDirectory();
    dir.write(
      'registry.config.yaml',
      [
        'sources:',
        '  - name: text',
        '    syncPolicy: { interval: 1h }',
        '    file:',
        '      data: |',
        '        {"servers":[',
        '          {"name":"io.x/one","description":"d","version":"1.0.0"},',
        '          {"name":"bad","description":"d","version":"1.0.0"}]}',
        '  - name: object',
        '    syncPolicy: { interval: 1h }',
        '    file:',
        '      data:',
        '        servers:',
        '          - { name: io.x/two, description: d, version: 1.0.0 }',
        '          - { name: io.x/three, version: 1.0.0 }',
        '  - name: quoted',
        '    syncPolicy: { interval: 1h }',
        `    file: { data: '{"servers":[{"name":"bad","description":"d","version":"1"}]}' }`,
        'registries: [{ name: main, sources: [text, object, quoted] }]',
        'auth: { mode: anonymous }',
      ].join('\n'),
    );
    const { code, lines } = await runBerth(['validate']);
    expect(code).toBe(1);
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^registry\.config\.yaml:8:1: name: /),
      expect.stringMatching(/^registry\.config\.yaml:15:1: description: is missing/),
      expect.stringMatching(/^registry\.config\.yaml:18:19: name: /),
    ]);
    expect(lines.at(-1)).toBe('not valid: 2 valid entry versions, 3 problems');
  });

  it('points at the setting of a source that is not there, and into a catalog that is no JSON', async () => {
    const dir = enterDirectory();
    dir.write('broken.json', '{"servers": [\n  {]\n}');
    dir.write(
      'registry.config.yaml',
      makeConfig([fileSource('gone', 'gone.json'), fileSource('b', 'broken.json')]),
    );
    const { code, lines } = await runBerth(['validate']);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^registry\.config\.yaml:4:13: gone\.json: .*does not exist/);
    expect(lines[1]).toMatch(/^broken\.json:2:4: .*no valid JSON/);
  });

  it('fetches git sources with --fetch only', async () => {
    const dir = enterDirectory();
    const repository = makeRepository();
    await repository.commit({ 'registry.json': listServers(ONE, makeServerJson('bad')) });
    dir.write('registry.config.yaml', makeConfig([gitSource('g', repository.path)]));
    const without = await runBerth(['validate']);
    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('source g was not fetched (--fetch does)'),
    });
    const fetched = await runBerth(['validate', '--fetch']);
    expect(fetched).toMatchObject({ code: 1, stdout: expect.stringMatching(/^registry\.json:3:1: name: /) });
    expect(readdirSync('.')).toEqual(['registry.config.yaml']);
  });

  it(`${proves('C-1-13')} checks catalogs given as paths without a configuration`, async () => {
    const dir = enterDirectory();
    dir.write('good.json', listServers(ONE));
    dir.write('skills/fine/SKILL.md', '---\nname: fine\ndescription: does things\n---\nText.\n');
    dir.write('skills/wrong/SKILL.md', '---\nname: other\ndescription: does things\n---\nText.\n');
    expect(await runBerth(['validate', 'good.json'])).toMatchObject({ code: 0 });
    const { code, lines } = await runBerth(['validate', 'good.json', 'skills', 'gone']);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^skills\/wrong\/SKILL\.md:\d+:1: /);
    expect(lines[1]).toMatch(/^gone:1:1: The path does not exist/);
    expect(lines.at(-1)).toBe('not valid: 2 valid entry versions, 2 problems');
  });

  it('says so when a configuration is given as a catalog', async () => {
    const dir = enterDirectory();
    dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json')]));
    const { code, stdout } = await runBerth(['validate', 'registry.config.yaml']);
    expect(code).toBe(1);
    expect(stdout).toContain('berth validate --config registry.config.yaml');
  });

  it('answers as data', async () => {
    const dir = enterDirectory();
    dir.write('a.json', listServers(ONE, makeServerJson('bad')));
    const { code, stdout } = await runBerth(['validate', 'a.json', '--format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      versions: 1,
      problems: [{ file: 'a.json', line: 3, column: 1, message: expect.stringContaining('name') }],
      notes: [],
    });
  });
});
