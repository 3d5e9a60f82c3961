import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../cli/command-table.ts';
import { proves } from '../../requirements/proves.ts';
import { runBerth } from '../run-berth.ts';
import { makeHome } from '../secrets/make-home.ts';

/** What bash would offer behind these words; the last one is being typed. */
function complete(
  script: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string[] {
  const quoted = ['berth', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _berth; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}`], {
    env: { ...process.env, ...env },
  });
  return printed.toString('utf8').split('\n').filter(Boolean);
}

describe('berth completion', () => {
  it(`${proves('K-1-32')} offers commands, flags and names of workloads in bash`, async () => {
    const { env, directories } = makeHome();
    mkdirSync(join(directories.state, 'workloads'), { recursive: true });
    for (const name of ['fetch', 'files.x']) {
      writeFileSync(join(directories.state, 'workloads', `${name}.json`), '{}');
    }
    const { code, stdout: script } = await runBerth(['completion', 'bash']);
    expect(code).toBe(0);
    expect(complete(script, ['secr'])).toEqual(['secret']);
    expect(complete(script, ['secret', ''])).toEqual(['setup', 'set', 'get', 'list', 'rm']);
    expect(complete(script, ['secret', 'setup', '--pr'])).toEqual(['--provider']);
    expect(complete(script, ['mcp', 'call', 'f'], env)).toEqual(['fetch', 'files.x']);
    expect(complete(script, ['mcp', 'call', '--args', ''], env)).toEqual([]);
    expect(complete(script, ['client', 'register', 'curs'])).toEqual(['cursor']);
    expect(complete(script, ['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
    expect(complete(script, ['serve', '--conf'])).toEqual(['--config']);
  });

  it(`${proves('K-1-32')} knows every command and flag in every shell`, async () => {
    const shown = COMMANDS.filter(({ isHidden }) => !isHidden);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await runBerth(['completion', shell]);
      expect(code).toBe(0);
      for (const { path } of shown) expect(stdout).toContain(path.join(' '));
      expect(stdout).toContain(shell === 'fish' ? '-l args-file' : '--args-file');
      expect(stdout).not.toContain('undefined');
    }
  });

  it('refuses a shell that there is not', async () => {
    expect(await runBerth(['completion', 'bahs'])).toMatchObject({
      code: 2,
      stderr: 'There is no completion for "bahs". Did you mean "bash"?\n',
    });
  });
});

describe('berth version', () => {
  it(`${proves('K-1-33')} prints the version, as JSON with what it runs on`, async () => {
    const text = await runBerth(['version']);
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
    expect((await runBerth(['--version'])).stdout).toBe(text.stdout);
    const { stdout } = await runBerth(['version', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ version: text.stdout.trim(), node: process.versions.node });
    expect((await runBerth(['version', '--format', 'xml'])).code).toBe(2);
  });
});
