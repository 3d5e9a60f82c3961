import { statSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import picomatch from 'picomatch';
import { BerthError } from '../errors.ts';
import { readErrorCode } from './file-errors.ts';
import { locatePath } from './locate-path.ts';
import { isSkippedDirectory } from './select-catalog-files.ts';

export interface FileWatch {
  /** Settles when changes from now on are seen. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export interface WatchFileOptions {
  /** Quiet milliseconds after the last event before `onChange` is called. Default 100. */
  readonly debounceMs?: number;
  /** Told when the system refuses to watch; without it a process warning is emitted. */
  readonly onError?: (error: BerthError) => void;
}

const longestBurstMs = 300;

/**
 * Watches the path of a file source: a file, a directory tree or a glob, existing or not yet (contract 2). The parent
 * directory is watched rather than the file, so that a file replaced by renaming stays watched.
 *
 * @param path as configured, absolute or relative to `baseDir`
 * @param onChange called once after a burst of changes, from 100 ms to about 300 ms after it
 */
export function watchFileSource(
  path: string,
  baseDir: string,
  onChange: () => void,
  options: WatchFileOptions = {},
): FileWatch {
  const location = locatePath(path, baseDir);
  const target = location.root;
  const matches = location.glob === undefined ? undefined : picomatch(location.glob);
  let timer: NodeJS.Timeout | undefined;
  let burstSince: number | undefined;

  const watcher = watch(findExistingParent(target), {
    ignoreInitial: true,
    ignored: (seen) => !isOnTheWay(seen, target),
  });
  watcher.on('all', (_event, seen) => {
    if (!concerns(seen, target, matches)) return;
    burstSince ??= Date.now();
    // Someone who never stops writing must not keep the change from being seen.
    if (Date.now() - burstSince > longestBurstMs) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      burstSince = undefined;
      onChange();
    }, options.debounceMs ?? 100);
  });
  watcher.on('error', (cause) => {
    const error = new BerthError('source_watch_failed', 'The path cannot be watched for changes.', {
      at: { file: location.written },
      fix:
        readErrorCode(cause) === 'ENOSPC'
          ? 'Raise the limit of file watches (fs.inotify.max_user_watches); until then the interval applies.'
          : 'Until this is solved the interval of the source applies.',
      cause,
    });
    if (options.onError) options.onError(error);
    else process.emitWarning(error.describe(), { code: error.code });
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function findExistingParent(target: string): string {
  let at = dirname(target);
  while (at !== dirname(at) && !statSync(at, { throwIfNoEntry: false })?.isDirectory()) at = dirname(at);
  return at;
}

/** Whether a path leads to the target, is the target, or lies below it outside the directories that are skipped. */
function isOnTheWay(seen: string, target: string): boolean {
  if (target === seen || target.startsWith(seen.endsWith(sep) ? seen : seen + sep)) return true;
  if (isMountSwitch(seen, target)) return true;
  const inner = relative(target, seen);
  if (inner.startsWith('..')) return false;
  return !inner.split(sep).some(isSkippedDirectory);
}

/** A mounted configuration map is replaced by switching the link `..data` beside its files. */
function isMountSwitch(seen: string, target: string): boolean {
  const name = `${sep}..data`;
  return seen === `${dirname(target)}${name}` || seen === `${target}${name}`;
}

function concerns(seen: string, target: string, matches: ((path: string) => boolean) | undefined): boolean {
  if (isMountSwitch(seen, target) || target === seen) return true;
  const inner = relative(target, seen);
  // An ancestor came or went.
  if (inner.startsWith('..')) return false;
  if (!matches) return true;
  const parts = inner.split(sep);
  // A match of a directory stands for what is below it, and a skill for the files beside its SKILL.md.
  return parts.some((_part, index) => matches(parts.slice(0, index + 1).join('/'))) || parts.length > 1;
}
