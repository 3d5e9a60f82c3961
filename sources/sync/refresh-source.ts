import { createHash } from 'node:crypto';
import { BundleStore } from '../bundle/bundle-store.ts';
import { compileBundle } from '../bundle/compile-bundle.ts';
import { BUNDLE_FORMAT } from '../bundle/format.ts';
import { type BundleRecord, recordBundle, type SourceRecord } from '../bundle/manifest.ts';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { SourceConfig } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import type { Fetched, FetchSource } from '../kinds/fetched.ts';
import { moveTimes } from './move-times.ts';

export interface RefreshJob {
  readonly source: SourceConfig;
  readonly baseDir: string;
  readonly dataDir: string;
  readonly bundleDir: string;
  readonly maxMetaBytes: number;
  /** URLs may lead to private addresses: sources of the configuration file. */
  readonly allowPrivate: boolean;
}

export interface RefreshResult {
  readonly outcome: 'unchanged' | 'changed';
  readonly record: SourceRecord;
}

/**
 * Brings one source up to date: fetch, read, compile, store, make current. What was served stays when any step fails.
 * Fetched content and settings equal to last time: nothing is read or written.
 * @throws BerthError with the first thing that went wrong; `catalog_empty` when nothing valid is left (contract 3)
 */
export async function refreshSource(
  job: RefreshJob,
  fetchSource: FetchSource<SourceConfig>,
  signal?: AbortSignal,
): Promise<RefreshResult> {
  const store = new BundleStore(job.bundleDir);
  const { source } = job;
  const before = await store.readSource(source.name);
  const settings = digestSettings(job);
  const usable = before && before.input.settings === settings ? before : undefined;
  const fetched = await fetchSource(source, {
    baseDir: job.baseDir,
    dataDir: job.dataDir,
    ...(signal ? { signal } : {}),
    ...(usable ? { knownDigest: usable.input.digest } : {}),
  });
  if (usable && (fetched === 'unchanged' || fetched.digest === usable.input.digest)) {
    return { outcome: 'unchanged', record: usable };
  }
  if (fetched === 'unchanged')
    throw new BerthError('source_failed', `Source ${source.name} sent no content.`);
  const record = await compileAndStore(store, job, before, fetched, settings);
  return { outcome: 'changed', record };
}

async function compileAndStore(
  store: BundleStore,
  job: RefreshJob,
  before: SourceRecord | undefined,
  fetched: Fetched,
  settings: string,
): Promise<SourceRecord> {
  const { source } = job;
  const catalog = readCatalog(fetched, {
    sourceName: source.name,
    maxMetaBytes: job.maxMetaBytes,
    ...(source.filter ? { filter: source.filter } : {}),
  });
  if (catalog.entries.length === 0 && before && !source.allowEmpty) {
    const [first] = catalog.rejected;
    const rejected = first
      ? ` (${catalog.rejected.length} rejected, the first: ${first.file}:${first.line}: ${first.reason})`
      : '';
    throw new BerthError(
      'catalog_empty',
      `The catalog of source ${source.name} holds no valid entry${rejected}; the one before is kept.`,
      {
        fix: 'Set `allowEmpty: true` on the source when an empty catalog is meant.',
      },
    );
  }
  const bytes = await compileBundle(catalog);
  const hash = await store.writeBundle(source.name, bytes);
  const count = (type: string) =>
    new Set(catalog.entries.filter((entry) => entry.type === type).map((entry) => entry.name)).size;
  const bundle: BundleRecord = {
    hash,
    builtAt: new Date().toISOString(),
    origin: { ...fetched.origin },
    servers: count('server'),
    skills: count('skill'),
    versions: catalog.entries.length,
    rejected: catalog.rejected.length,
    bytes: bytes.byteLength,
  };
  if (before?.current !== hash) await moveTimes(store, source.name, before?.current, bytes, hash);
  const input = { digest: fetched.digest, settings };
  const record = await store.updateSource(source.name, (known) => recordBundle(known, bundle, input));
  if (!record) throw new BerthError('source_failed', `The manifest lost source ${source.name}.`);
  return record;
}

/** A bundle is made from content and settings: a changed filter compiles anew (contract 2, `filter`). */
function digestSettings(job: RefreshJob): string {
  const { syncPolicy: _interval, claims: _claims, ...settings } = job.source;
  return createHash('sha256')
    .update(JSON.stringify([BUNDLE_FORMAT, process.env.BERTH_VERSION ?? '', settings, job.maxMetaBytes]))
    .digest('hex');
}
