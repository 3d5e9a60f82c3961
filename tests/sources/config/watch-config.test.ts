import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ConfigWatch,
  type WatchConfigOptions,
  watchConfig,
} from '../../../sources/config/watch-config.ts';

describe('watchConfig', () => {
  let directory: string;
  let file: string;
  let open: ConfigWatch | undefined;
  const onChange = vi.fn<() => void | Promise<void>>();
  const onError = vi.fn<(error: unknown) => void>();

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'berth-watch-'));
    file = path.join(directory, 'registry.config.yaml');
    await writeFile(file, 'a: 1\n');
    onChange.mockReset();
    onError.mockReset();
  });
  afterEach(async () => {
    await open?.close();
    await rm(directory, { recursive: true, force: true });
    expect(onError).not.toHaveBeenCalled();
  });

  async function start(watched = file, options: Partial<WatchConfigOptions> = {}): Promise<void> {
    open = watchConfig(watched, { onChange, onError, ...options });
    await open.ready;
  }
  const isCalled = (times: number, timeout = 5000) =>
    vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(times), { timeout, interval: 10 });

  it('notices an edit in place within a second', async () => {
    await start();
    await writeFile(file, 'a: 2\n');
    await isCalled(1, 1000);
    await writeFile(file, 'a: 3\n');
    await isCalled(2);
  });

  it('notices a file that is replaced by renaming, again and again', async () => {
    await start();
    for (const times of [1, 2, 3]) {
      await writeFile(`${file}.tmp`, `a: ${times + 1}\n`);
      await rename(`${file}.tmp`, file);
      await isCalled(times);
    }
  });

  it('notices the move of a ConfigMap, again and again', async () => {
    const mount = path.join(directory, 'mount');
    await mkdir(path.join(mount, '..v1'), { recursive: true });
    await writeFile(path.join(mount, '..v1', 'r.yaml'), 'a: 1\n');
    await symlink('..v1', path.join(mount, '..data'));
    await symlink(path.join('..data', 'r.yaml'), path.join(mount, 'r.yaml'));
    await start(path.join(mount, 'r.yaml'));
    for (const version of [2, 3, 4]) {
      await mkdir(path.join(mount, `..v${version}`));
      await writeFile(path.join(mount, `..v${version}`, 'r.yaml'), `a: ${version}\n`);
      await symlink(`..v${version}`, path.join(mount, '..data_tmp'));
      await rename(path.join(mount, '..data_tmp'), path.join(mount, '..data'));
      await rm(path.join(mount, `..v${version - 1}`), { recursive: true });
      await isCalled(version - 1);
    }
  });

  it('notices an edit of the file that a link leads to, also after the link has moved', async () => {
    const [first, second] = [path.join(directory, 'one', 'c.yaml'), path.join(directory, 'two', 'c.yaml')];
    const link = path.join(directory, 'link.yaml');
    for (const target of [first, second]) await mkdir(path.dirname(target));
    await writeFile(first, 'a: 1\n');
    await writeFile(second, 'a: 2\n');
    await symlink(first, link);
    await start(link);
    await writeFile(first, 'a: 3\n');
    await isCalled(1);
    await symlink(second, `${link}.tmp`);
    await rename(`${link}.tmp`, link);
    await isCalled(2);
    await writeFile(`${second}.tmp`, 'a: 4\n');
    await rename(`${second}.tmp`, second);
    await isCalled(3);
  });

  it('tells that the file has gone, and that it is back', async () => {
    await start();
    await rm(file);
    await isCalled(1);
    await writeFile(file, 'a: 1\n');
    await isCalled(2);
  });

  it('notices that the file a link leads to is back', async () => {
    const target = path.join(directory, 'one', 'c.yaml');
    const link = path.join(directory, 'link.yaml');
    await mkdir(path.dirname(target));
    await writeFile(target, 'a: 1\n');
    await symlink(target, link);
    await start(link);
    await rm(target);
    await isCalled(1);
    await writeFile(target, 'a: 2\n');
    await isCalled(2);
  });

  it('makes one call of many writes, and none of what changes nothing or lies beside the file', async () => {
    await start();
    await writeFile(path.join(directory, 'other.yaml'), 'x\n');
    await writeFile(file, 'a: 1\n');
    for (let n = 0; n < 20; n++) await writeFile(file, `a: ${n}\n`);
    await isCalled(1);
    // A further edit is one further call: nothing else was waiting.
    await writeFile(file, 'a: last\n');
    await isCalled(2);
  });

  it('notices an edit made before the watcher ran', async () => {
    open = watchConfig(file, { onChange, onError });
    await writeFile(file, 'a: 2\n');
    await isCalled(1);
  });

  it('hands on what onChange fails with and goes on', async () => {
    const failure = new Error('refused');
    const seen: unknown[] = [];
    onChange.mockRejectedValueOnce(failure);
    await start(file, { onError: (error) => seen.push(error) });
    await writeFile(file, 'a: 2\n');
    await vi.waitFor(() => expect(seen).toEqual([failure]), { timeout: 5000 });
    await writeFile(file, 'a: 3\n');
    await isCalled(2);
  });

  it('works by polling where the file system sends no events', async () => {
    await start(file, { chokidar: { usePolling: true, interval: 50 } });
    await writeFile(file, 'a: longer\n');
    await isCalled(1);
  });

  it('is silent after it was closed', async () => {
    await start();
    await open?.close();
    await writeFile(file, 'a: 2\n');
    const witness = vi.fn();
    open = watchConfig(file, { onChange: witness, onError });
    await open.ready;
    await writeFile(file, 'a: 3\n');
    await vi.waitFor(() => expect(witness).toHaveBeenCalled(), { timeout: 5000 });
    expect(onChange).not.toHaveBeenCalled();
  });
});
