import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHookSecret } from '../../../server/hooks/read-hook-secret.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'berth-hook-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('readHookSecret', () => {
  it('reads the file anew each time, without the line break', async () => {
    const file = join(dir, 'secret');
    await writeFile(file, 'one\n');
    expect(await readHookSecret(file)).toBe('one');
    await writeFile(file, ' two \r\n');
    expect(await readHookSecret(file)).toBe('two');
  });

  it('refuses an empty file: it would let anybody in who sends an empty token', async () => {
    const file = join(dir, 'secret');
    await writeFile(file, ' \n');
    await expect(readHookSecret(file)).rejects.toMatchObject({ code: 'hook_secret_empty', at: { file } });
  });

  it('names a file that is missing', async () => {
    const file = join(dir, 'none');
    await expect(readHookSecret(file)).rejects.toMatchObject({
      code: 'hook_secret_unreadable',
      at: { file },
    });
  });
});
