import { isAbsolute, posix, resolve, sep } from 'node:path';
import picomatch from 'picomatch';

/** What a configured `path` means on this machine. */
export interface Location {
  /** Absolute; for a glob the directory its fixed part names. Never shown. */
  readonly root: string;
  /** What people are shown for `root`: relative, `/`-separated, empty for the directory of the configuration. */
  readonly shown: string;
  /** What people are shown for the whole setting. */
  readonly written: string;
  /** The pattern below `root`, when the setting is a glob. */
  readonly glob?: string;
}

/**
 * Reads a configured path. An absolute one is shown by its last two segments only, so that no host path leaves.
 *
 * @param path file, directory or glob, absolute or relative to `baseDir`
 */
export function locatePath(path: string, baseDir: string): Location {
  const plain = path.split(sep).join('/');
  const scan = picomatch.scan(plain);
  const fixed = scan.isGlob ? scan.base : plain;
  const root = resolve(baseDir, fixed || '.');
  const shown = showPath(fixed);
  if (!scan.isGlob) return { root, shown, written: shown === '' ? '.' : shown };
  return { root, shown, written: joinShown(shown, scan.glob), glob: scan.glob };
}

/** A configured path as people are shown it. */
export function showPath(path: string): string {
  if (isAbsolute(path)) return path.split('/').filter(Boolean).slice(-2).join('/');
  const normal = posix.normalize(path).replace(/\/+$/, '');
  return normal === '.' ? '' : normal;
}

/** Joins a shown directory and a path below it. */
export function joinShown(shown: string, inner: string): string {
  return shown === '' ? inner : `${shown}/${inner}`;
}
