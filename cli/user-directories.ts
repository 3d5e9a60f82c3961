import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where Berth keeps what belongs to a user (XDG base directories). All are absolute; none need exist. */
export interface UserDirectories {
  /** `config.yaml`, `berthignore`. */
  readonly config: string;
  /** Secrets. */
  readonly data: string;
  /** Workloads, groups and their logs. */
  readonly state: string;
  /** What can be fetched again: trust roots, registry answers. */
  readonly cache: string;
  readonly home: string;
}

/**
 * Finds the directories of the user whose environment this is. A relative XDG value counts as absent, as the XDG
 * specification has it.
 */
export function findUserDirectories(
  env: Readonly<Record<string, string | undefined>>,
  home: string = env.HOME || homedir(),
): UserDirectories {
  const base = (name: string, ...fallback: string[]): string => {
    const given = env[name];
    return join(given !== undefined && isAbsolute(given) ? given : join(home, ...fallback), 'berth');
  };
  return {
    config: base('XDG_CONFIG_HOME', '.config'),
    data: base('XDG_DATA_HOME', '.local', 'share'),
    state: base('XDG_STATE_HOME', '.local', 'state'),
    cache: base('XDG_CACHE_HOME', '.cache'),
    home,
  };
}
