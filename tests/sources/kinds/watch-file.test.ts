import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchFileSource } from '../../../sources/kinds/watch-file.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

async function startWatch(path: string, baseDir: string) {
  const onChange = vi.fn();
  const watch = watchFileSource(path, baseDir, onChange);
  onTestFinished(() => watch.close());
  await watch.ready;
  /** Does something and waits until it was seen; fails when it was not. */
  const expectSeen = async (change: () => Promise<unknown>) => {
    onChange.mockClear();
    await change();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 900, interval: 10 });
  };
  return { onChange, expectSeen };
}

describe('watching a file source', () => {
  it('sees a file written, replaced by renaming twice, removed and created again', async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'registry.json': '1' });
    const { expectSeen } = await startWatch('registry.json', dir);
    await expectSeen(() => writeFile(join(dir, 'registry.json'), '2 changed'));
    for (const text of ['3 renamed', '4 renamed again']) {
      await writeFile(join(dir, 'new.tmp'), text);
      await expectSeen(() => rename(join(dir, 'new.tmp'), join(dir, 'registry.json')));
    }
    await expectSeen(() => rm(join(dir, 'registry.json')));
    await expectSeen(() => writeFile(join(dir, 'registry.json'), '5'));
  });

  it('sees a file in directories that do not exist yet', async () => {
    const dir = makeDirectory();
    const { expectSeen } = await startWatch('later/deep/registry.json', dir);
    await expectSeen(() => writeFiles(dir, { 'later/deep/registry.json': '1' }));
    await expectSeen(() => writeFile(join(dir, 'later/deep/registry.json'), '2 changed'));
  });

  it('sees new directories of a tree, and a tree replaced as a whole', async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'c/a/server.json': '1' });
    const { expectSeen } = await startWatch('c', dir);
    await expectSeen(() => writeFiles(dir, { 'c/b/new/server.json': '1' }));
    await expectSeen(() => rm(join(dir, 'c'), { recursive: true }));
    await expectSeen(() => writeFiles(dir, { 'c/a/server.json': '2' }));
    await expectSeen(() => writeFile(join(dir, 'c/a/server.json'), '3 changed'));
  });

  it('sees the matches of a glob', async () => {
    const dir = makeDirectory();
    await mkdir(join(dir, 'teams'));
    const { expectSeen } = await startWatch('teams/*/registry.json', dir);
    await expectSeen(() => writeFiles(dir, { 'teams/a/registry.json': '1' }));
  });

  it('calls once for a burst, and not for files beside the target', async () => {
    const dir = makeDirectory();
    await writeFiles(dir, { 'c/a.json': '1', 'beside.json': '1' });
    const { expectSeen, onChange } = await startWatch('c', dir);
    await writeFiles(dir, { 'beside.json': '2 changed', 'c/node_modules/x.json': '1' });
    await expectSeen(async () => {
      for (let index = 0; index < 20; index += 1)
        await writeFile(join(dir, 'c/a.json'), 'x'.repeat(index + 2));
    });
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});
