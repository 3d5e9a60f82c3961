import { BundleStore } from '../bundle/bundle-store.ts';
import { unpackBundle } from '../bundle/format.ts';
import type { SourceRecord } from '../bundle/manifest.ts';
import type { BundleTimes } from '../bundle/times.ts';
import { createFetchSource } from '../kinds/fetch-source.ts';
import { type RefreshJob, type RefreshResult, refreshSource } from './refresh-source.ts';
import { rollbackSource } from './rollback-source.ts';

/** A bundle's bytes, their hash checked, and the times that belong to it. */
export interface LoadedBundle {
  readonly bytes: Uint8Array;
  readonly times: BundleTimes | undefined;
}

/** The heavy part of synchronisation: fetching, compiling, checking hashes. Runs here or in a worker. */
export interface Compiler {
  /** @throws BerthError */
  refresh(job: RefreshJob): Promise<RefreshResult>;
  /** @throws BerthError `bundle_missing`, `bundle_tampered`, `bundle_unreadable` */
  load(bundleDir: string, source: string, hash: string): Promise<LoadedBundle>;
  /** Makes an earlier bundle the current one. @throws BerthError `bundle_unknown` */
  rollback(bundleDir: string, source: string, hash: string | undefined): Promise<SourceRecord>;
  close(): Promise<void>;
}

/** A compiler in this thread: for commands that end, and inside the worker. */
export function createCompiler(): Compiler {
  const fetchAny = createFetchSource({ allowPrivate: true });
  const fetchPublic = createFetchSource({ allowPrivate: false });
  const stop = new AbortController();
  return {
    refresh: (job) => refreshSource(job, job.allowPrivate ? fetchAny : fetchPublic, stop.signal),
    load: (bundleDir, source, hash) => loadBundle(new BundleStore(bundleDir), source, hash),
    rollback: (bundleDir, source, hash) => rollbackSource(new BundleStore(bundleDir), source, hash),
    close: async () => stop.abort(),
  };
}

async function loadBundle(store: BundleStore, source: string, hash: string): Promise<LoadedBundle> {
  const bytes = await store.readBundle(source, hash);
  const { header } = unpackBundle(bytes);
  const times = await store.readTimes(source, hash, header.servers.rows + header.skills.rows);
  return { bytes, times };
}
