import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { makeRepository } from '../sources/kinds/git-repository.ts';
import { runBerth } from './run-berth.ts';
import {
  AUTHZ,
  enterDirectory,
  fileSource,
  listServers,
  makeConfig,
  makeServerJson,
  type WorkingDirectory,
} from './working-directory.ts';

const ONE = makeServerJson('io.x/one');
const TWO = makeServerJson('io.x/two');

/** Two sources with claims under a gate: `team` is seen by the data team, `org` by the whole organisation. */
function writeState(
  dir: WorkingDirectory,
  place: string,
  team: object[],
  org: object[],
  teamClaims: object,
): void {
  dir.write(`${place}/team.json`, listServers(...team));
  dir.write(`${place}/org.json`, listServers(...org));
  const sources = [
    fileSource('team', 'team.json', { claims: teamClaims }),
    fileSource('org', 'org.json', { claims: { org: 'acme' } }),
  ];
  const registries = [{ name: 'main', sources: ['team', 'org'], claims: { org: 'acme' } }];
  dir.write(`${place}/registry.config.yaml`, makeConfig(sources, { registries, auth: AUTHZ }));
}

const DATA = { org: 'acme', team: 'data' };

describe('berth diff', () => {
  it(`${proves('C-1-17', 'C-1-20', 'C-1-22')} compares two configurations and says who gains and who loses sight`, async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    writeState(dir, 'new', [ONE], [TWO], { org: 'acme', team: 'web' });
    const { code, stdout } = await runBerth([
      'diff',
      'old/registry.config.yaml',
      'new/registry.config.yaml',
      '--format',
      'json',
    ]);
    expect(code).toBe(1);
    const difference = JSON.parse(stdout);
    expect(difference.entries).toEqual([]);
    const one = ['server/io.x/one'];
    expect(difference.callers).toEqual([
      { claims: DATA, registries: [{ registry: 'main', gained: [], lost: one, moved: [] }] },
      {
        claims: { org: 'acme', team: 'web' },
        registries: [{ registry: 'main', gained: one, lost: [], moved: [] }],
      },
    ]);
    const text = await runBerth(['diff', 'old', 'new']);
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(
      /callers with \{"org":"acme","team":"data"\}:\n {2}registry main: loses 1 entry: server\/io\.x\/one\n/,
    );
    expect(text.stdout).toMatch(/"team":"web"\}:\n {2}registry main: gains 1 entry: server\/io\.x\/one\n/);
  });

  it('tells who comes in by a value that was added to others', async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    writeState(dir, 'new', [ONE], [TWO], { org: 'acme', team: ['data', 'web'] });
    const { code, stdout } = await runBerth(['diff', 'old', 'new', '--format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).callers).toEqual([
      {
        claims: { org: 'acme', team: 'web' },
        registries: [{ registry: 'main', gained: ['server/io.x/one'], lost: [], moved: [] }],
      },
    ]);
    const back = await runBerth(['diff', 'new', 'old', '--format', 'json']);
    expect(JSON.parse(back.stdout).callers[0].registries[0].lost).toEqual(['server/io.x/one']);
  });

  it('tells when another copy of the same name shows', async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    writeState(dir, 'new', [ONE, TWO], [TWO], DATA);
    const { stdout } = await runBerth(['diff', 'old', 'new']);
    expect(stdout).toContain('+ server io.x/two in team: 1.0.0');
    expect(stdout).toContain('sees another copy of 1 entry: server/io.x/two (from team instead of org)');
    expect(stdout).not.toContain('{"org":"acme"}');
  });

  it(`${proves('C-1-22')} ends with 0 without changes and leaves no trace`, async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith('berth-diff-'));
    const before = [scratch(), readdirSync('.', { recursive: true })];
    expect(await runBerth(['diff', 'old', 'old'])).toMatchObject({ code: 0, stdout: 'no changes\n' });
    expect([scratch(), readdirSync('.', { recursive: true })]).toEqual(before);
  });

  it(`${proves('C-1-22')} ends with 2 on an error`, async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    dir.write('broken/registry.config.yaml', 'sources: 5\n');
    dir.write('failing/registry.config.yaml', makeConfig([fileSource('a', 'gone.json')]));
    dir.write('empty/nothing', '');
    for (const [side, message] of [
      ['broken', 'broken/registry.config.yaml:1:10: '],
      ['failing', 'gone.json'],
      ['empty', 'holds neither bundles nor a registry.config.yaml'],
      ['nowhere', '"nowhere" is no file, no directory and no git revision'],
    ] as const) {
      const { code, stderr } = await runBerth(['diff', 'old', side]);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
  });

  it(`${proves('C-1-16', 'C-12.2-01')} compares two directories of bundles, and who sees what by --config`, async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    writeState(dir, 'new', [ONE, makeServerJson('io.x/one', '1.1.0')], [], DATA);
    dir.write('new/org.json', listServers(makeServerJson('io.x/three')));
    for (const state of ['old', 'new']) {
      await runBerth(['build', '--config', `${state}/registry.config.yaml`, '--out', `${state}-bundles`]);
    }
    const bare = await runBerth(['diff', 'old-bundles', 'new-bundles']);
    expect(bare.code).toBe(1);
    expect(bare.lines.slice(0, 4)).toEqual([
      'Entries',
      '+ server io.x/three in org: 1.0.0',
      '- server io.x/two in org: 1.0.0',
      '~ server io.x/one in team: 1.1.0 added',
    ]);
    expect(bare.stdout).toContain('name the configuration with --config');
    const full = await runBerth([
      'diff',
      'old-bundles',
      'new-bundles',
      '--config',
      'old/registry.config.yaml',
    ]);
    expect(full.stdout).toContain('gains 1 entry: server/io.x/three');
    expect(full.stdout).toContain('loses 1 entry: server/io.x/two');
    expect(full.stdout).not.toContain('note:');
  });

  it(`${proves('C-1-18', 'C-1-19')} compares two git revisions, whatever the work tree holds`, async () => {
    const dir = enterDirectory();
    const { git } = makeRepository(dir.path);
    const commit = () => {
      git('add', '--all');
      git('commit', '--quiet', '--message=change');
    };
    writeState(dir, 'conf', [ONE], [TWO], DATA);
    commit();
    writeState(dir, 'conf', [ONE], [makeServerJson('io.x/two', '1.0.0', { title: 'Two' })], DATA);
    commit();
    git('tag', 'second');
    dir.write('conf/org.json', 'not even JSON');
    writeFileSync('uncommitted', '');
    const status = git('status', '--porcelain');
    const config = ['--config', 'conf/registry.config.yaml'];
    const { code, stdout } = await runBerth(['diff', 'HEAD~1', 'second', ...config]);
    expect(stdout).toContain('~ server io.x/two in org: 1.0.0 changed (title)');
    expect(code).toBe(1);
    expect(git('status', '--porcelain')).toBe(status);
    expect(execFileSync('git', ['worktree', 'list'], { encoding: 'utf8' }).trim().split('\n')).toHaveLength(
      1,
    );
    writeState(dir, 'conf', [ONE], [TWO], DATA);
    expect(await runBerth(['diff', 'HEAD', 'conf/registry.config.yaml', ...config])).toMatchObject({
      code: 1,
    });
    const missing = await runBerth(['diff', 'HEAD~1', 'HEAD']);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no registry.config.yaml'),
    });
  });

  it('names the file of a revision in its problems, not the place it was laid out', async () => {
    const dir = enterDirectory();
    const repository = makeRepository(dir.path);
    await repository.commit({ 'registry.config.yaml': 'sources: 5\n' });
    const { code, stderr } = await runBerth(['diff', 'HEAD', 'HEAD']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^HEAD:registry\.config\.yaml:1:10: sources must be a list/m);
    expect(stderr).not.toContain('berth-diff-');
  });

  it(`${proves('C-1-21')} writes markdown whose tables hold whatever the catalog says`, async () => {
    const dir = enterDirectory();
    writeState(dir, 'old', [ONE], [TWO], DATA);
    writeState(dir, 'new', [ONE, makeServerJson('io.x/three', '1.0|`2`')], [TWO], DATA);
    const { code, lines } = await runBerth(['diff', 'old', 'new', '--format', 'markdown']);
    expect(code).toBe(1);
    expect(lines[0]).toBe('### Catalog changes: `old` → `new`');
    expect(lines).toContain("| added | server | `io.x/three` | `team` | `1.0\\|'2'` added |");
    expect(lines).toContain('| `{"org":"acme","team":"data"}` | `main` | gains 1 | `server/io.x/three` |');
  });
});
