import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import type { Volume } from '../../isolation/mounts.ts';
import { refuseFlag, refuseWorld } from './flag-error.ts';

/** `--volume`: `host-path:container-path[:ro]`; a relative host path starts at `cwd`. @throws UsageError, BerthError */
export function readVolumes(given: readonly string[] | undefined, cwd: string): Volume[] {
  const volumes: Volume[] = [];
  for (const text of given ?? []) {
    const volume = readVolume(text, cwd);
    if (volumes.some(({ target }) => target === volume.target)) {
      throw refuseFlag('--volume', `${volume.target} is mounted twice.`, 'Leave one of the two out.');
    }
    volumes.push(volume);
  }
  return volumes;
}

/** One volume, whose host path has to be there. @throws UsageError, BerthError `volume_missing` */
export function readVolume(text: string, cwd: string): Volume {
  const [, source, target, mode] = /^([^:]+):(\/[^:]*)(?::(ro|rw))?$/.exec(text) ?? [];
  if (source === undefined || target === undefined || posix.normalize(target) === '/') {
    throw refuseFlag(
      '--volume',
      `"${text}" is not of the form host-path:container-path[:ro].`,
      'The path in the container is absolute.',
    );
  }
  const path = resolve(cwd, source);
  if (!existsSync(path)) throw refuseWorld('volume_missing', '--volume', `${path} does not exist.`);
  return {
    source: path,
    target: posix.normalize(target).replace(/\/$/, ''),
    readOnly: mode === 'ro',
  };
}
