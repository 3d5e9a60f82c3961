import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { runBerth } from '../run-berth.ts';
import { makeHome } from './make-home.ts';
import { runTyping } from './run-typing.ts';

function makeUser() {
  const { env, directories } = makeHome();
  const withPassword = { ...env, BERTH_SECRETS_PASSWORD: 'the password' };
  return {
    directories,
    env,
    withPassword,
    set: (name: string, value: string) => runTyping(['secret', 'set', name], value, withPassword),
    run: (...words: string[]) => runBerth(words, withPassword),
  };
}

describe('berth secret', () => {
  it(`${proves('K-1-24', 'K-1-25')} sets from standard input, gets, lists and removes`, async () => {
    const { set, run } = makeUser();
    expect((await run('secret', 'list')).stdout).toBe('There are no secrets.\n');
    expect(await set('b.token', 'value one\n')).toMatchObject({ code: 0, stdout: '' });
    expect(await set('a', 'line 1\nline 2\n\n')).toMatchObject({ code: 0 });
    expect(await run('secret', 'get', 'b.token')).toMatchObject({ code: 0, stdout: 'value one\n' });
    expect((await run('secret', 'get', 'a')).stdout).toBe('line 1\nline 2\n\n');
    expect((await run('secret', 'list')).stdout).toBe('a\nb.token\n');
    expect(JSON.parse((await run('secret', 'list', '--format', 'json')).stdout)).toEqual(['a', 'b.token']);
    expect((await run('secret', 'rm', 'a')).code).toBe(0);
    expect(await run('secret', 'rm', 'a')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"a"'),
    });
    expect(await run('secret', 'get', 'a')).toMatchObject({ code: 1, stdout: '' });
  });

  it(`${proves('K-1-24')} takes no value as an argument, and refuses empty ones and names it cannot keep`, async () => {
    const { set, run } = makeUser();
    expect((await run('secret', 'set', 'a', 'value')).code).toBe(2);
    expect(await set('a', '\n')).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') });
    expect((await set('a,b', 'v')).code).toBe(2);
    expect((await set('berth.own', 'v')).code).toBe(2);
    expect((await run('secret', 'list')).stdout).toBe('There are no secrets.\n');
  });

  it(`${proves('K-2-29')} sets what an exported configuration refers to, as its error says`, async () => {
    const { set, run } = makeUser();
    expect((await set('berth.fetch.token-exchange-client-secret', 'v')).code).toBe(0);
    expect((await set('berth.fetch.env.API_KEY', 'w')).code).toBe(0);
    expect((await run('secret', 'get', 'berth.fetch.env.API_KEY')).stdout).toBe('w\n');
  });

  it(`${proves('K-1-24')} asks on a terminal without showing what is typed`, async () => {
    const { withPassword, run } = makeUser();
    const typed = await runTyping(['secret', 'set', 'a'], 'typed-secret\r', withPassword, 'terminal');
    expect(typed.code).toBe(0);
    expect(typed.stdout + typed.stderr).not.toContain('typed-secret');
    expect((await run('secret', 'get', 'a')).stdout).toBe('typed-secret\n');
  });

  it('asks for a new password twice, for a known one once, and stops when told to', async () => {
    const { env } = makeUser();
    const differing = await runTyping(['secret', 'set', 'a'], 'v\rpw1\rpw2\r', env, 'terminal');
    expect(differing).toMatchObject({ code: 1, stderr: expect.stringContaining('not the same') });
    expect(await runTyping(['secret', 'set', 'a'], 'v\rpw\rpw\r', env, 'terminal')).toMatchObject({
      code: 0,
    });
    expect(await runTyping(['secret', 'get', 'a'], 'pw\r', env, 'terminal')).toMatchObject({ stdout: 'v\n' });
    const stopped = await runTyping(['secret', 'get', 'a'], '\u0003', env, 'terminal');
    expect(stopped).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Nothing was done'),
    });
  });

  it('sets up from standard input where no keyring is, and says so', async () => {
    const { env, withPassword, directories } = makeUser();
    const typed = await runTyping(['secret', 'setup'], 'the password\nthe password\n', env);
    expect(typed).toMatchObject({ code: 0 });
    expect(readFileSync(join(directories.config, 'config.yaml'), 'utf8')).toBe(
      'secrets:\n  provider: encrypted\n',
    );
    expect((await runTyping(['secret', 'setup'], 'another\n', env)).stderr).toContain('does not open');
    expect(await runTyping(['secret', 'set', 'a'], 'v', withPassword)).toMatchObject({ code: 0 });
  });

  it('refuses two different passwords, and none', async () => {
    const { env } = makeUser();
    expect(await runTyping(['secret', 'setup'], 'one\ntwo\n', env)).toMatchObject({ code: 1 });
    expect(await runTyping(['secret', 'setup'], '', env)).toMatchObject({ code: 1 });
  });

  it(`${proves('K-8.2-02')} uses the provider that was set up, unless BERTH_SECRETS_PROVIDER says otherwise`, async () => {
    const { env, run } = makeUser();
    expect((await run('secret', 'setup', '--provider', 'environment')).code).toBe(0);
    const fromEnvironment = await runBerth(['secret', 'get', 'a'], { ...env, BERTH_SECRET_A: 'v' });
    expect(fromEnvironment.stdout).toBe('v\n');
    const other = await runBerth(['secret', 'get', 'a'], {
      ...env,
      BERTH_SECRET_A: 'v',
      BERTH_SECRETS_PROVIDER: 'encrypted',
    });
    expect(other.code).toBe(1);
    expect(await run('secret', 'setup', '--provider', 'vault')).toMatchObject({ code: 2 });
  });

  it('says that 1Password cannot be set up without its command', async () => {
    const { env } = makeUser();
    const ran = await runBerth(['secret', 'setup', '--provider', '1password'], { ...env, PATH: '/nowhere' });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('op command') });
  });
});
