import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What takes the room to write away from a process, and gives it back. */
export interface Disk {
  fill(pid: number): void;
  free(pid: number): void;
}

const SIZE = '24m';

/**
 * A small disk at a directory when this process may mount one; else a limit on how long a file may be, which fails the
 * same writes.
 */
export function makeSmallDisk(directory: string): Disk {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory]).status === 0) {
    onTestFinished(() => void spawnSync('umount', ['--lazy', directory]));
    const filler = join(directory, 'filler');
    return { fill: () => writeUntilFull(filler), free: () => rmSync(filler) };
  }
  const limit = (pid: number, bytes: string) => {
    const { status } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
    if (status !== 0) throw new Error('This machine offers no way to make a disk seem full.');
  };
  return { fill: (pid) => limit(pid, '1'), free: (pid) => limit(pid, 'unlimited') };
}

function writeUntilFull(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      try {
        for (;;) if (writeSync(descriptor, Buffer.alloc(size)) < size) break;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
