import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { BerthError } from '../../sources/errors.ts';
import type { Mount } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import { findIgnored } from './find-ignored.ts';
import type { MountContext, Overlay, ResolvedMounts, Volume } from './mounts.ts';
import { listProfileMounts } from './profile-mounts.ts';
import { readIgnorePatterns } from './read-ignore-patterns.ts';

/**
 * The mounts of a workload (contract 4): the volumes and those of the profile, and a read-only empty file or directory
 * over everything the ignore patterns hide. May be called again; what was created before is used again.
 *
 * @throws BerthError `volume_missing`, `volume_duplicate`, `profile_invalid`, `ignore_*`
 */
export async function resolveMounts(plan: Plan, context: MountContext): Promise<ResolvedMounts> {
  const volumes = [...plan.volumes, ...listProfileMounts(plan.profile, context.cwd)].map((volume) => ({
    ...volume,
    target: posix.normalize(volume.target).replace(/(?<=.)\/$/, ''),
  }));
  checkDuplicates(volumes);
  const overlays: Overlay[] = [];
  const later = new Set<string>();
  for (const volume of volumes) {
    if (!(await isDirectory(volume.source))) continue;
    const global = plan.ignore.globally ? context.configDirectory : undefined;
    const patterns = await readIgnorePatterns(volume.source, global);
    if (patterns.length === 0) continue;
    const { ignored, idle } = await findIgnored(volume.source, patterns);
    for (const pattern of patterns) if (idle.includes(pattern) || canMatchLater(pattern)) later.add(pattern);
    for (const { kind, path } of ignored) {
      const target = posix.join(volume.target, relative(volume.source, path).split(sep).join('/'));
      if (!isCoveredByOther(target, volume, volumes)) overlays.push({ kind, source: path, target });
    }
  }
  const empty = overlays.length > 0 ? await makeEmptyPlaces(context.runtimeDirectory) : undefined;
  return {
    mounts: [
      ...volumes,
      ...(empty
        ? overlays.map(({ kind, target }): Mount => ({ source: empty[kind], target, readOnly: true }))
        : []),
    ],
    overlays,
    warnings: later.size > 0 ? [warnAboutLater([...later])] : [],
  };
}

function checkDuplicates(volumes: readonly Volume[]): void {
  const seen = new Set<string>();
  for (const { target } of volumes) {
    if (seen.has(target)) {
      throw new BerthError(
        'volume_duplicate',
        `Two mounts have the same place in the container: ${target}.`,
        {
          fix: 'Leave one of the two out.',
        },
      );
    }
    seen.add(target);
  }
}

/** @throws BerthError `volume_missing` */
async function isDirectory(source: string): Promise<boolean> {
  try {
    return (await stat(source)).isDirectory();
  } catch (cause) {
    throw new BerthError('volume_missing', `The host path of a volume does not exist: ${source}.`, {
      at: { file: source },
      cause,
    });
  }
}

/** A path from the root without a wildcard names one thing, and that is covered. */
function canMatchLater(pattern: string): boolean {
  if (pattern.startsWith('!')) return false;
  const rooted = pattern.replace(/\/\s*$/, '').includes('/');
  return !rooted || /[*?[]/.test(pattern);
}

function isCoveredByOther(target: string, own: Volume, volumes: readonly Volume[]): boolean {
  return volumes.some(
    (other) =>
      other !== own &&
      other.target.startsWith(`${own.target}/`) &&
      (target === other.target || target.startsWith(`${other.target}/`)),
  );
}

async function makeEmptyPlaces(runtimeDirectory: string): Promise<{ file: string; directory: string }> {
  const file = join(runtimeDirectory, 'empty-file');
  const directory = join(runtimeDirectory, 'empty-directory');
  await mkdir(directory, { recursive: true, mode: 0o755 });
  if (!(await exists(file))) await writeFile(file, '');
  // Whoever the server runs as sees that there is nothing.
  await Promise.all([chmod(file, 0o444), chmod(directory, 0o555)]);
  return { file, directory };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}

function warnAboutLater(patterns: readonly string[]): string {
  const shown = patterns.slice(0, 5).join(', ');
  const more = patterns.length > 5 ? ` and ${patterns.length - 5} more` : '';
  return `Ignore patterns cover what is there now; files created later that match ${shown}${more} are not covered.`;
}
