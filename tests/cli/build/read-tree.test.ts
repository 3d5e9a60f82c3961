import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readGoSource } from '../../../cli/build/go-source.ts';
import { readTree } from '../../../cli/build/read-tree.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

function writeTree(files: Readonly<Record<string, string>>): string {
  const root = makeDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

it(`${proves('K-2-22')} leaves out what the ignore files do, of every directory, and links out of the tree`, async () => {
  const root = writeTree({
    'repo/.git/config': '',
    'repo/.gitignore': '*.tmp\nmodule/out/\n',
    'repo/module/go.mod': 'module a',
    'repo/module/.gitignore': '.env\n*.log\n!keep.log\nbuild/\n',
    'repo/module/.dockerignore': 'docs\n!docs/needed.md\n**/*_test.go\n',
    'repo/module/.env': 'TOKEN=x',
    'repo/module/sub/.env': 'TOKEN=x',
    'repo/module/a.tmp': '',
    'repo/module/a.log': '',
    'repo/module/keep.log': '',
    'repo/module/build/x': '',
    'repo/module/out/x': '',
    'repo/module/docs/a.md': '',
    'repo/module/docs/needed.md': '',
    'repo/module/sub/x_test.go': '',
    'repo/module/sub/.gitignore': 'only-here\n',
    'repo/module/sub/only-here': '',
    'repo/module/only-here': '',
    'repo/module/main.go': '',
  });
  const module = join(root, 'repo/module');
  symlinkSync('main.go', join(module, 'inside'));
  symlinkSync('/etc/passwd', join(module, 'outside'));
  chmodSync(join(module, 'main.go'), 0o755);
  const files = await readTree(module);
  expect(pathsOf(files)).toEqual([
    '.dockerignore',
    '.gitignore',
    'docs/needed.md',
    'go.mod',
    'inside',
    'keep.log',
    'main.go',
    'only-here',
    'sub/.gitignore',
  ]);
  expect(files.find(({ path }) => path === 'inside')).toMatchObject({
    kind: 'link',
    content: Buffer.from('main.go'),
  });
  expect(files.find(({ path }) => path === 'main.go')?.kind).toBe('executable');
});

it(`${proves('K-2-22')} takes the module around the path, with what it replaces from the disk and its workspace`, async () => {
  const root = writeTree({
    'work/go.work': 'go 1.22\nuse (\n\t./one\n\t./two // siblings\n)\n',
    'work/one/go.mod': 'module one\nreplace lib => ../../lib\n',
    'work/one/cmd/server/main.go': 'package main',
    'work/two/go.mod': 'module two',
    'work/other/go.mod': 'module other',
    'lib/go.mod': 'module lib',
    'lib/lib.go': 'package lib',
    'unrelated.txt': '',
  });
  const { files, directory } = await readGoSource(join(root, 'work/one/cmd/server'));
  expect(directory).toBe('work/one/cmd/server');
  expect(pathsOf(files).sort()).toEqual([
    'lib/go.mod',
    'lib/lib.go',
    'work/go.work',
    'work/one/cmd/server/main.go',
    'work/one/go.mod',
    'work/two/go.mod',
  ]);
});

it('refuses a path that is none, or in no module', async () => {
  const root = writeTree({ 'main.go': 'package main' });
  await expect(readGoSource(join(root, 'nothing'))).rejects.toMatchObject({ code: 'go_path_invalid' });
  await expect(readGoSource(root)).rejects.toMatchObject({
    code: 'go_path_invalid',
    fix: expect.stringContaining('go mod init'),
  });
});
