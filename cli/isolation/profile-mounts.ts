import { posix, resolve } from 'node:path';
import { BerthError } from '../../sources/errors.ts';
import type { Volume } from './mounts.ts';
import type { Profile } from './profile.ts';

/**
 * The mounts of a profile: `read` and `write` entries in the form of `--volume`, or one absolute path that is the same
 * on both sides.
 *
 * @param directory where relative host paths start
 * @throws BerthError `profile_invalid` naming the entry
 */
export function listProfileMounts(profile: Profile, directory: string): readonly Volume[] {
  return [
    ...profile.read.map((entry) => ({ ...readEntry('read', entry, directory), readOnly: true })),
    ...profile.write.map((entry) => readEntry('write', entry, directory)),
  ];
}

function readEntry(list: 'read' | 'write', entry: string, directory: string): Volume {
  const [, source, given, mode] = /^([^:]+)(?::(\/[^:]*))?(?::(ro|rw))?$/.exec(entry) ?? [];
  const target = given ?? (source?.startsWith('/') ? source : undefined);
  if (source === undefined || target === undefined || posix.normalize(target) === '/') {
    throw new BerthError(
      'profile_invalid',
      `${list}: ${JSON.stringify(entry)} is not of the form host-path:container-path[:ro].`,
      { fix: 'The path in the container is absolute.' },
    );
  }
  return { source: resolve(directory, source), target, readOnly: mode === 'ro' };
}
