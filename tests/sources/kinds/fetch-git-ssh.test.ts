import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitSchema } from '../../../sources/config/schema.ts';
import { createFetchGit } from '../../../sources/kinds/fetch-git.ts';
import { proves } from '../../requirements/proves.ts';
import { makeRepository } from './git-repository.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

// Stands for ssh and for the host behind it: it lets in who shows the right key, and there runs what git asks for,
// with the directory of the repositories as the root of the host.
const SSH = `#!/bin/sh
printf '%s\\n' "$@" > "$SSH_RECORD"
key=
while [ $# -gt 0 ]; do
  case "$1" in
    -G) exit 0 ;;
    -i) key=$2; shift 2 ;;
    -o|-p|-F) shift 2 ;;
    *) break ;;
  esac
done
shift
if [ "$(cat "$key" 2>/dev/null)" != 'the right key' ]; then
  echo 'git@host: Permission denied (publickey).' >&2
  exit 255
fi
cd "$SSH_HOST_ROOT" && eval "$(printf '%s' "$*" | sed "s#'/#'#")"
`;

async function startHost() {
  const repository = makeRepository();
  const commit = await repository.commit({ 'registry.json': 'over ssh' });
  const root = makeDirectory();
  repository.git('clone', '--quiet', '--bare', repository.path, join(root, 'team.git'));
  const baseDir = makeDirectory();
  const record = join(baseDir, 'asked');
  await writeFiles(baseDir, { 'keys/my key': 'the right key', 'keys/other': 'another key' });
  const bin = makeDirectory();
  // Only PATH goes through to git, so what the stand-in needs is written into it.
  const settings = `SSH_RECORD='${record}'\nSSH_HOST_ROOT='${root}'\n`;
  await writeFile(join(bin, 'ssh'), SSH.replace('\n', `\n${settings}`));
  await chmod(join(bin, 'ssh'), 0o755);
  const fetchGit = createFetchGit({
    allowPrivate: true,
    hostEnvironment: { PATH: `${bin}:${process.env.PATH}` },
  });
  return {
    commit,
    baseDir,
    fetch: (settings: object) =>
      fetchGit(gitSchema.parse(settings), { baseDir, dataDir: join(baseDir, '.berth') }),
    asked: async () => (await readFile(record, 'utf8')).trimEnd().split('\n'),
  };
}

describe('git source: ssh', () => {
  it.each([
    ['git@git.example.com:team.git', ['git@git.example.com'], "git-upload-pack 'team.git'"],
    ['ssh://git@git.example.com/team.git', ['git@git.example.com'], "git-upload-pack '/team.git'"],
    [
      'ssh://git@git.example.com:2222/team.git',
      ['-p', '2222', 'git@git.example.com'],
      "git-upload-pack '/team.git'",
    ],
  ])(`${proves('C-2-24', 'C-2-28')} reads %s with the key of sshKeyFile`, async (repository, host, command) => {
    const service = await startHost();
    const result = await service.fetch({ repository, auth: { sshKeyFile: 'keys/my key' } });
    if (result === 'unchanged') throw new Error('content was expected');
    expect(result.files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['over ssh']);
    expect(result.origin).toMatchObject({ commit: service.commit, repository });
    const asked = await service.asked();
    expect(asked.slice(0, 2)).toEqual(['-i', join(service.baseDir, 'keys/my key')]);
    expect(asked).toEqual(expect.arrayContaining(['BatchMode=yes', 'IdentitiesOnly=yes']));
    expect(asked.slice(-host.length - 1)).toEqual([...host, command]);
  });

  it.each([
    [{ sshKeyFile: 'keys/other' }],
    [undefined],
  ])(`${proves('C-2-28')} is let in with no other key: %j`, async (auth) => {
    const service = await startHost();
    const repository = 'git@git.example.com:team.git';
    await expect(service.fetch({ repository, ...(auth ? { auth } : {}) })).rejects.toMatchObject({
      code: 'source_git_auth',
    });
  });
});
