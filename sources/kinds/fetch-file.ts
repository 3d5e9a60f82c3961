import type { FileSource } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { digestBytes, digestPairs } from './digest-files.ts';
import { fetchUrl, type ValidatorStore, type Validators } from './fetch-url.ts';
import type { Fetched, FetchSource } from './fetched.ts';
import { createFileMemory, type FileMemory } from './file-memory.ts';
import { locatePath } from './locate-path.ts';
import { readPath } from './read-path.ts';

export interface FetchFileOptions {
  /** Whether `url` may lead to a private address: true for sources of the configuration file. */
  readonly allowPrivate: boolean;
  /** Remembered validators by URL; a fresh map when left out. */
  readonly validators?: ValidatorStore;
  /** Remembered looks of files; fresh when left out. */
  readonly memory?: FileMemory;
}

const defaultTimeoutMs = 30_000;

/**
 * Makes the fetcher of `file` sources: a path (file, directory, glob), a URL or inline data (contract 2).
 * It remembers between calls what lets it answer `unchanged` cheaply, so make it once.
 *
 * The fetcher throws BerthError `source_not_found`, `source_unreadable`, `source_too_large`, `source_incomplete` and
 * those of `fetchUrl`.
 */
export function createFetchFile(options: FetchFileOptions): FetchSource<FileSource> {
  const validators = options.validators ?? new Map<string, Validators>();
  const memory = options.memory ?? createFileMemory();
  const fetches = new Map<number, typeof globalThis.fetch>();
  const pickFetch = (timeoutMs: number) => {
    const known = fetches.get(timeoutMs);
    if (known) return known;
    const made = createGuardedFetch({ allowPrivate: options.allowPrivate, timeoutMs });
    fetches.set(timeoutMs, made);
    return made;
  };

  return async (source, context) => {
    if (source.path !== undefined) {
      const known = { digest: context.knownDigest, signal: context.signal };
      return readPath(locatePath(source.path, context.baseDir), memory, known);
    }
    if (source.url !== undefined) {
      const fetch = context.fetch ?? pickFetch(source.timeout ?? defaultTimeoutMs);
      return fetchUrl(source.url, source, fetch, validators, context);
    }
    if (source.data !== undefined) return readInline(source.data, context.knownDigest);
    throw new BerthError('source_incomplete', 'A file source needs `path`, `url` or `data`.', {
      fix: 'Give exactly one of them.',
    });
  };
}

function readInline(
  data: NonNullable<FileSource['data']>,
  knownDigest: string | undefined,
): Fetched | 'unchanged' {
  const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
  const file = digestBytes(bytes);
  const digest = digestPairs([['inline', file]]);
  if (digest === knownDigest) return 'unchanged';
  return {
    layout: 'file',
    files: [{ path: 'inline', bytes }],
    origin: { kind: 'file', files: { inline: file } },
    digest,
  };
}
