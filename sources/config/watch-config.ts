import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type ChokidarOptions, type FSWatcher, watch } from 'chokidar';

export interface WatchConfigOptions {
  /** Called after the content has changed or the file has gone; one call at a time. */
  readonly onChange: () => void | Promise<void>;
  /** Called with what the watcher or `onChange` failed with. */
  readonly onError: (error: unknown) => void;
  /** Laid over the options of the watcher, such as `usePolling` for network file systems. */
  readonly chokidar?: ChokidarOptions;
  /** Milliseconds of silence after which an edit counts as finished. */
  readonly settleMs?: number;
}

export interface ConfigWatch {
  /** Settles once the watcher runs; changes made before are noticed too. */
  readonly ready: Promise<void>;
  /** Stops watching; a call of `onChange` under way is waited for. */
  close(): Promise<void>;
}

/**
 * Watches a configuration file (contract 2) by its directory, so that editors that replace the file by renaming and
 * mounted ConfigMaps, where a symbolic link beside the file moves, are noticed. Events only cause a look: `onChange` is
 * called when the content differs from the last one seen. Start it before loading, so that no edit is missed.
 * @param file relative to the working directory
 */
export function watchConfig(file: string, options: WatchConfigOptions): ConfigWatch {
  const settleMs = options.settleMs ?? 100;
  const absolute = path.resolve(file);
  let seen = readContent(absolute);
  let real = resolveLinks(absolute) ?? absolute;
  let target: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let firstEventAt: number | undefined;
  let running = Promise.resolve();
  let closed = false;

  const watchDirectory = (directory: string): FSWatcher => {
    const watcher = watch(directory, {
      ignoreInitial: true,
      depth: 0,
      followSymlinks: false,
      // Only the directory itself and what makes up the file: the rest of a large directory costs nothing.
      ignored: (name) => name !== directory && !isPartOf(name, absolute, real),
      ...options.chokidar,
    });
    watcher.on('all', schedule);
    // That a link was replaced is told by the directory alone.
    watcher.on('raw', (_event, name) => {
      if (isPartOf(path.join(directory, path.basename(name ?? '')), absolute, real)) schedule();
    });
    watcher.on('error', options.onError);
    watcher.once('ready', schedule);
    return watcher;
  };
  /** Watches the directory that links lead to now; the file's own is watched all the time. */
  const followLinks = async (): Promise<void> => {
    const now = resolveLinks(absolute);
    // A file that has gone may come back where it was.
    if (now === undefined || now === real) return;
    const moved = path.dirname(now) !== path.dirname(real);
    real = now;
    if (!moved) return;
    await target?.close();
    target =
      path.dirname(now) === path.dirname(absolute) || closed ? undefined : watchDirectory(path.dirname(now));
  };

  const look = async (): Promise<void> => {
    if (closed) return;
    try {
      await followLinks();
      const content = readContent(absolute);
      if (content === seen) return;
      seen = content;
      await options.onChange();
    } catch (error) {
      options.onError(error);
    }
  };
  const schedule = (): void => {
    if (closed) return;
    firstEventAt ??= performance.now();
    // Events that never pause must not put the look off for ever.
    const wait = Math.max(0, Math.min(settleMs, firstEventAt + 4 * settleMs - performance.now()));
    clearTimeout(timer);
    timer = setTimeout(() => {
      firstEventAt = undefined;
      running = running.then(look);
    }, wait);
  };

  const own = watchDirectory(path.dirname(absolute));
  if (path.dirname(real) !== path.dirname(absolute)) target = watchDirectory(path.dirname(real));
  const ready = Promise.all([own, target].map(waitUntilReady)).then(() => undefined);

  return {
    ready,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
      await Promise.all([own.close(), target?.close()]);
    },
  };
}

function waitUntilReady(watcher: FSWatcher | undefined): Promise<void> {
  return new Promise((resolve) =>
    watcher === undefined ? resolve() : watcher.once('ready', () => resolve()),
  );
}

/** `..data` is the link that a ConfigMap update moves. */
function isPartOf(name: string, absolute: string, real: string): boolean {
  return [absolute, real, path.join(path.dirname(absolute), '..data')].includes(name);
}

/** The file that links lead to; undefined when there is none (now). */
function resolveLinks(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** The content; for a file that cannot be read the reason, which differs from any content. */
function readContent(file: string): string {
  try {
    return `=${readFileSync(file, 'utf8')}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  }
}
