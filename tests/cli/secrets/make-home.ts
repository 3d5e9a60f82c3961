import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findUserDirectories, type UserDirectories } from '../../../cli/user-directories.ts';

export interface TestHome {
  readonly path: string;
  readonly directories: UserDirectories;
  /** The environment of a process that has this home, and nothing of ours. */
  readonly env: Readonly<Record<string, string>>;
}

/** A home directory as long as the running test. */
export function makeHome(): TestHome {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'berth-home-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const env = {
    HOME: path,
    XDG_CONFIG_HOME: join(path, 'c'),
    XDG_DATA_HOME: join(path, 'd'),
    XDG_STATE_HOME: join(path, 's'),
    XDG_CACHE_HOME: join(path, 'k'),
  };
  return { path, env, directories: findUserDirectories(env) };
}
