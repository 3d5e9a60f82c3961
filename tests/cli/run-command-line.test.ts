import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../cli/command-table.ts';
import { reportError } from '../../cli/report-error.ts';
import { BerthError } from '../../sources/errors.ts';
import { findCommand } from '../support/built-command.ts';
import { runBerth } from './run-berth.ts';
import { enterDirectory } from './working-directory.ts';

/** An alias, and what `run` calls itself, are not for the help. */
const SHOWN = COMMANDS.filter(({ isHidden }) => isHidden !== true);
const NAMES = SHOWN.map(({ path }) => path.join(' '));

describe('help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('lists every command for %j', async (words) => {
    const { code, stdout } = await runBerth(words);
    expect(code).toBe(0);
    for (const { path, summary } of SHOWN) {
      expect(stdout).toMatch(new RegExp(`^ +${path.join(' ')} +${summary}$`, 'm'));
    }
  });

  it.each(NAMES)('of %s has its summary, usage and examples', async (name) => {
    const summary = COMMANDS.find(({ path }) => path.join(' ') === name)?.summary ?? 'no summary';
    const { code, stdout } = await runBerth([...name.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(summary);
    expect(stdout).toContain(`$ berth ${name}`);
    expect(stdout).toMatch(/\nExamples\n/);
    expect(stdout).not.toContain('#0');
    expect(await runBerth(['help', ...name.split(' ')])).toMatchObject({ code: 0, stdout });
  });

  it('of a group lists its commands', async () => {
    const { code, stdout } = await runBerth(['bundles', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('bundles rollback');
    expect(stdout).not.toContain('serve');
  });

  it('puts descriptions of options into one column', async () => {
    const { lines } = await runBerth(['validate', '--help']);
    const options = lines.filter((line) => line.startsWith('  --'));
    expect(options.length).toBeGreaterThan(2);
    expect(new Set(options.map((line) => line.search(/(?<= {4})\S/))).size).toBe(1);
  });

  it('loads no package: the start of the built command needs Node alone', () => {
    const [open, seen] = [[findCommand()], new Set<string>()];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export|\}) ?.*?"([^"]+)";$/gm,
      )) {
        if (name.startsWith('.')) open.push(join(dirname(file), name));
        else expect(name).toMatch(/^node:/);
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});

describe('version', () => {
  it.each(['--version', '-v', 'version'])('%s', async (word) => {
    expect(await runBerth([word])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('a command line that is not understood', () => {
  it.each([
    [['buidl'], 'There is no command "berth buidl". Did you mean "berth build"?'],
    [['nonsense'], 'There is no command "berth nonsense". See berth --help'],
    [['bundles'], 'Use berth bundles list or berth bundles rollback.'],
    [['bundles', 'lsit'], 'Did you mean "berth bundles list"?'],
    [['build', '--confg', 'x'], 'Unknown option --confg. Did you mean "--config"? Usage: berth build'],
    [['build', '--out'], 'Not enough arguments to option --out'],
    [['build', 'more'], 'Extraneous positional argument ("more")'],
    [['diff', 'only-one'], 'Not enough positional arguments'],
    [['explain', '--entry', 'server/a/b', '--claims', '{}'], 'The option --registry is missing.'],
    [['build', '--format', 'jsn'], '--format: There is no format "jsn". Did you mean "json"?'],
    [['serve', '--address', 'nonsense'], '--address: "nonsense" is no address to listen on.'],
    [['serve', '--internal-address', ':99999'], '--internal-address: ":99999" is no address'],
    [['serve', '--auth-mode', 'none'], '--auth-mode: There is no mode "none". Use oauth or anonymous.'],
    [['doctor', 'registry.example.com'], 'is no http or https URL. Write it as https://host/registry/NAME.'],
  ])('%j ends with 2 and says why', async (words, message) => {
    const { code, stdout, stderr } = await runBerth(words);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a command that fails', () => {
  it.each([
    'build',
    'validate',
    'bundles list',
    'bundles rollback some',
  ])('%s ends with 1 and names the file that is missing', async (command) => {
    enterDirectory();
    const { code, stderr } = await runBerth(command.split(' '));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^registry\.config\.yaml: the configuration file does not exist\. .*--config\.\n$/,
    );
  });

  it('lists every problem of the configuration, each with its place', async () => {
    const dir = enterDirectory();
    dir.write('registry.config.yaml', 'sources: []\nregistrys: []\n');
    const { code, stderr } = await runBerth(['build']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^registry\.config\.yaml:2:1: .*Did you mean "registries"\?/m);
    expect(stderr.trim().split('\n').length).toBeGreaterThan(1);
  });

  it('shows a stack only for what nobody expected, and only when asked', () => {
    const report = (error: unknown, env: Record<string, string>) => {
      let text = '';
      reportError(error, { env, stderr: { write: (part: string) => (text += part) } });
      return text;
    };
    const surprise = new Error('surprise');
    expect(report(surprise, {})).toBe(
      'Unexpected error: surprise\nSet BERTH_LOG_LEVEL=debug for the stack.\n',
    );
    expect(report(surprise, { BERTH_LOG_LEVEL: 'debug' })).toMatch(/\n\s+at /);
    const known = new BerthError('some_code', 'It is broken.', { at: { flag: '--out' }, fix: 'Mend it.' });
    expect(report(known, { BERTH_LOG_LEVEL: 'debug' })).toBe('--out: It is broken. Mend it.\n');
  });
});
