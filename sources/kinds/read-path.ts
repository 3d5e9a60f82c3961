import { type BigIntStats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import picomatch from 'picomatch';
import { BerthError } from '../errors.ts';
import { digestBytes, digestPairs, showDigests } from './digest-files.ts';
import type { Fetched, RawFile, SkippedFile } from './fetched.ts';
import { explainFileError, readErrorCode } from './file-errors.ts';
import type { FileMemory } from './file-memory.ts';
import { joinShown, type Location } from './locate-path.ts';
import {
  isBelowAny,
  isCatalogFile,
  listSkillDirectories,
  selectCatalogFiles,
} from './select-catalog-files.ts';
import { checkTotalBytes, maxFileBytes, tooLargeReason } from './source-bounds.ts';
import { walkDirectory } from './walk-directory.ts';

interface Found {
  readonly host: string;
  readonly shown: string;
  readonly stats: BigIntStats;
}

/**
 * Reads a file, a directory or the matches of a glob (contract 2, 3). Files whose look did not change since they were
 * last read are not read again to find out that nothing changed.
 *
 * @throws BerthError `source_not_found`, `source_unreadable`, `source_too_large`
 */
export async function readPath(
  location: Location,
  memory: FileMemory,
  known: { readonly digest?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Fetched | 'unchanged'> {
  const { layout, found, skipped } = await findFiles(location, known.signal);
  checkTotalBytes(
    found.reduce((sum, { stats }) => sum + Number(stats.size), 0),
    location.written,
  );

  const bytes = new Map<string, Uint8Array>();
  const read = async (file: Found): Promise<string | undefined> => {
    const content = await readOne(file);
    if (content === undefined) return undefined;
    const digest = digestBytes(content);
    bytes.set(file.shown, content);
    memory.remember(file.host, file.stats, digest);
    return digest;
  };
  const pairs: [string, string][] = [];
  for (const file of found) {
    known.signal?.throwIfAborted();
    const digest = memory.recall(file.host, file.stats) ?? (await read(file));
    if (digest !== undefined) pairs.push([file.shown, digest]);
  }
  const marks = skipped.map(({ path, reason }): [string, string] => [path, reason]);
  const digest = digestPairs([...pairs, ...marks]);
  if (digest === known.digest) return 'unchanged';

  const files: RawFile[] = [];
  for (const file of found) {
    if (!bytes.has(file.shown)) await read(file);
    const content = bytes.get(file.shown);
    if (content !== undefined) files.push({ path: file.shown, bytes: content });
  }
  return {
    layout,
    files,
    origin: { kind: 'file', ...showDigests(pairs) },
    digest,
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

async function findFiles(
  location: Location,
  signal: AbortSignal | undefined,
): Promise<{ layout: Fetched['layout']; found: Found[]; skipped: SkippedFile[] }> {
  if (location.glob === undefined) {
    const stats = await stat(location.root, { bigint: true }).catch((error: unknown) => {
      throw explainFileError(error, location.written);
    });
    if (stats.isFile()) {
      const found = [{ host: location.root, shown: location.written, stats }];
      return { layout: 'file', found, skipped: [] };
    }
    if (!stats.isDirectory()) throw explainFileError(undefined, location.written);
  }
  const all = await walkDirectory(location.root, location.shown || '.', signal);
  const inner = location.glob === undefined ? selectCatalogFiles(all) : matchGlob(all, location.glob);
  if (inner.length === 0 && location.glob !== undefined) {
    throw new BerthError('source_not_found', 'The pattern matches no file.', {
      at: { file: location.written },
      fix: 'Correct `path`, or add the files it should match.',
    });
  }
  const found: Found[] = [];
  const skipped: SkippedFile[] = [];
  const sizes = await statAll(
    inner.map((path) => join(location.root, path)),
    location.written,
  );
  for (const [index, path] of inner.entries()) {
    const stats = sizes[index];
    const shown = joinShown(location.shown, path);
    if (stats === undefined) continue;
    if (stats.size > maxFileBytes) skipped.push({ path: shown, reason: tooLargeReason });
    else found.push({ host: join(location.root, path), shown, stats });
  }
  return { layout: location.glob === undefined ? 'directory' : 'file', found, skipped };
}

/** The files a glob takes: those it matches, and as a catalog what lies below a directory it matches. */
function matchGlob(paths: readonly string[], glob: string): string[] {
  const matches = picomatch(glob);
  const skills = listSkillDirectories(paths.filter(matches));
  const allSkills = listSkillDirectories(paths);
  const isBelowMatch = (path: string) => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      if (matches(path.slice(0, at))) return true;
    }
    return false;
  };
  return paths
    .filter(
      (path) =>
        matches(path) || isBelowAny(path, skills) || (isCatalogFile(path, allSkills) && isBelowMatch(path)),
    )
    .sort();
}

/**
 * Looks at many files; undefined for one that is gone by now. A look at a local file takes a few microseconds, a trip
 * through the thread pool many times that: so it is done in short slices between which other work goes on.
 */
async function statAll(paths: readonly string[], shown: string): Promise<(BigIntStats | undefined)[]> {
  const all: (BigIntStats | undefined)[] = [];
  for (const path of paths) {
    if (all.length % 100 === 99) await setImmediate();
    try {
      all.push(statSync(path, { bigint: true, throwIfNoEntry: false }));
    } catch (error) {
      throw explainFileError(error, shown);
    }
  }
  return all;
}

async function readOne(file: Found): Promise<Uint8Array | undefined> {
  return readFile(file.host).catch((error: unknown) => {
    // A file that went away between listing and reading is a file that is not there.
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw explainFileError(error, file.shown);
  });
}
