import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGitAddress } from '../../../sources/kinds/git/git-address.ts';
import { buildGitEnvironment, quoteForShell } from '../../../sources/kinds/git/git-environment.ts';
import { explainGitError, redact } from '../../../sources/kinds/git/git-errors.ts';
import { readInnerPath } from '../../../sources/kinds/git/git-reference.ts';

const place = { gitDir: '/data/git/x', configFile: '/data/git/gitconfig' };

function build(repository: string, more: Partial<Parameters<typeof buildGitEnvironment>[0]> = {}) {
  return buildGitEnvironment({
    ...place,
    address: readGitAddress(repository, '/base'),
    credentials: {},
    hostEnvironment: {},
    ...more,
  });
}

describe('environment of git', () => {
  it('passes on what git needs from the host and nothing else', () => {
    const environment = build('https://host.example/x', {
      hostEnvironment: {
        PATH: '/bin',
        GIT_SSL_CAINFO: '/ca',
        BERTH_SECRET: 's',
        GIT_EXEC_PATH: '/evil',
        EDITOR: 'vi',
      },
    });
    expect(environment).toMatchObject({ PATH: '/bin', GIT_SSL_CAINFO: '/ca', GIT_TERMINAL_PROMPT: '0' });
    expect(environment).toMatchObject({ GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'https' });
    for (const name of ['BERTH_SECRET', 'GIT_EXEC_PATH', 'EDITOR'])
      expect(environment).not.toHaveProperty(name);
  });

  it('gives the password to the origin of the repository only', () => {
    const environment = build('https://host.example:8443/x', {
      credentials: { basic: { username: 'robot', password: 'word' } },
    });
    const pairs = Object.keys(environment).filter((name) => name.startsWith('GIT_CONFIG_KEY_'));
    const key = pairs.find((name) => environment[name] === 'http.https://host.example:8443/.extraHeader');
    expect(environment[key?.replace('KEY', 'VALUE') ?? '']).toBe('Authorization: Basic cm9ib3Q6d29yZA==');
    expect(Number(environment.GIT_CONFIG_COUNT)).toBe(pairs.length);
  });

  it('names the ssh key as one word and asks nobody', () => {
    const ssh = build('git@host.example:x', { credentials: { sshKeyFile: "/keys/it's; touch pwned" } });
    const command = ssh.GIT_SSH_COMMAND ?? '';
    expect(command).toContain(`-i '/keys/it'\\''s; touch pwned'`);
    expect(command).toContain("'BatchMode=yes'");
    expect(command).toContain("'StrictHostKeyChecking=accept-new'");
  });

  it('quotes any word so that a shell reads it back', () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).filter((word) => !word.includes('\0')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(words, (list) => {
        const script = `printf '%s\\0' ${list.map(quoteForShell).join(' ')}`;
        expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${list.join('\0')}\0`);
      }),
      { numRuns: 30 },
    );
  });

  it('ties a checked host to the addresses that were checked', () => {
    const https = build('https://host.example/x', { pinned: ['93.184.216.34', '2606:2800::1'] });
    expect(Object.values(https)).toContain('host.example:443:93.184.216.34,[2606:2800::1]');
    const hostEnvironment = { HOME: '/home/berth', SSH_AUTH_SOCK: '/agent' };
    const ssh = build('git@host.example:x', { pinned: ['93.184.216.34'], hostEnvironment });
    expect(ssh).not.toHaveProperty('HOME');
    expect(ssh).not.toHaveProperty('SSH_AUTH_SOCK');
    expect(ssh.GIT_SSH_COMMAND).toContain('ssh -F none -o');
    expect(ssh.GIT_SSH_COMMAND).toContain("'IdentityFile=none' -o 'IdentityAgent=none'");
    expect(ssh.GIT_SSH_COMMAND).toContain("'HostName=93.184.216.34' -o 'HostKeyAlias=host.example'");
  });
});

describe('what is said about a repository', () => {
  it.each([
    ['https://token@host.example/org/x.git?key=hush', 'https://host.example/org/x.git'],
    ['https://me:hush@host.example/x', 'https://host.example/x'],
    ['ssh://git:hush@host.example:22/x', 'ssh://git@host.example:22/x'],
    ['git@host.example:org/x.git', 'git@host.example:org/x.git'],
    ['/srv/secret/place/repos/team.git', 'repos/team.git'],
    ['file:///srv/secret/place/repos/team.git', 'repos/team.git'],
    ['./repos/team', 'repos/team'],
  ])('shows %s as %s', (repository, shown) => {
    expect(readGitAddress(repository, '/base').shown).toBe(shown);
  });

  it('takes secrets, credentials and host paths out of messages', () => {
    const text =
      "fatal: unable to access 'https://me:hush@host.example/x/': '/data/git/1 2/x' and /data/y: word file:///srv/a";
    const clean = redact(text, { secrets: ['word'] });
    for (const part of ['hush', 'me:', '/data', 'word', '/srv']) expect(clean).not.toContain(part);
    expect(clean).toContain('https://host.example/x/');
  });

  it.each([
    ["fatal: couldn't find remote ref refs/heads/x", 'source_git_ref_missing'],
    [
      'git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'source_git_auth',
    ],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', 'source_git_auth'],
    ['remote: Repository not found.\nfatal: repository not found', 'source_git_not_found'],
    ["fatal: unable to access 'https://h/': Could not resolve host: h", 'source_git_unreachable'],
    ["fatal: unable to access 'https://h/': SSL certificate problem: self-signed", 'source_git_unreachable'],
    ["fatal: unable to access 'https://h/': The requested URL returned error: 403", 'source_git_auth'],
    ['fatal: loose object abc is corrupt', 'source_git_failed'],
  ])('explains %j', (message, code) => {
    const subject = { shown: 'x', reference: 'branch x', secrets: [] };
    expect(explainGitError(new Error(message), subject)).toMatchObject({ code });
  });

  it('accepts no path that leaves the repository', () => {
    const parts = fc.array(fc.constantFrom('..', '.', '', 'a', '-x', '...', '\u0000', 'b.json'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(parts, (list) => {
        let inner: string;
        try {
          inner = readInnerPath(list.join('/'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'source_git_refused' });
          return;
        }
        expect(inner.split('/')).not.toContain('..');
        expect(inner.startsWith('/')).toBe(false);
      }),
    );
  });
});
