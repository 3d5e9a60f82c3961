/** A catalog file as it was fetched. `path` is what people are shown: relative, `/`-separated, never a host path. */
export interface RawFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Where fetched content came from; shown in status, manifest and `dev.berth/origin`. No secrets, no host paths. */
export interface Origin {
  readonly kind: 'file' | 'git' | 'api';
  readonly commit?: string;
  readonly ref?: string;
  readonly repository?: string;
  readonly url?: string;
  readonly etag?: string;
  /** sha256 (hex) of each file by its shown path; left out above 100 files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a source kind brings: raw files, where from, and a digest that is equal when nothing changed. */
export interface Fetched {
  /** `file`: one catalog file; `directory`: a tree to be searched for catalogs (contract 3, form 4). */
  readonly layout: 'file' | 'directory';
  readonly files: readonly RawFile[];
  readonly origin: Origin;
  /** sha256 hex over the content. */
  readonly digest: string;
  /** Files that belong to the catalog but were left out, with the reason; to be listed among the rejections. */
  readonly skipped?: readonly SkippedFile[];
}

export interface SkippedFile {
  /** As in `RawFile`. */
  readonly path: string;
  readonly reason: string;
}

export interface FetchContext {
  /** Directory of the configuration file; relative paths start here. */
  readonly baseDir: string;
  /** Berth's data directory (git clones live below it). */
  readonly dataDir: string;
  readonly signal?: AbortSignal;
  /** Digest of the last successful fetch: a kind that can tell cheaply that nothing changed answers `unchanged`. */
  readonly knownDigest?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Fetches a source. Throws BerthError (codes `source_*`) with what is wrong, where, and what to do. */
export type FetchSource<S> = (source: S, context: FetchContext) => Promise<Fetched | 'unchanged'>;
