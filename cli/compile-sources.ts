import { BundleStore } from '../sources/bundle/bundle-store.ts';
import { unpackBundle } from '../sources/bundle/format.ts';
import type { BundleRecord } from '../sources/bundle/manifest.ts';
import type { LoadedConfig, SourceConfig } from '../sources/config/schema.ts';
import { BerthError, messageOf } from '../sources/errors.ts';
import type { Rejection } from '../sources/model/entry.ts';
import { type Compiler, createCompiler } from '../sources/sync/compiler.ts';
import { createSlots } from '../sources/sync/slots.ts';

/** What became of one source. */
export type SourceOutcome = { readonly source: string; readonly durationMs: number } & (
  | {
      readonly outcome: 'changed' | 'unchanged';
      readonly bundle: BundleRecord;
      readonly rejected: readonly Rejection[];
    }
  | { readonly outcome: 'failed'; readonly error: BerthError }
);

export interface CompileOptions {
  /** Where the bundles and their manifest are written (absolute). */
  readonly bundleDir: string;
  /** Told as each source is done. */
  readonly onDone?: (outcome: SourceOutcome) => void;
}

/** Sources that are fetched at once: what they wait for is mostly the network. */
const CONCURRENT_SOURCES = 4;
const UNUSABLE = new Set(['bundle_missing', 'bundle_tampered', 'bundle_unreadable']);

/** Whether entries of a source are fetched; those of the other kinds are published or watched. */
export function isCompiled(source: SourceConfig): boolean {
  return source.file !== undefined || source.git !== undefined || source.api !== undefined;
}

/**
 * Fetches the sources once and brings their bundles up to date (contract 1, `build`). One that fails stops none of the
 * others.
 * @returns the outcomes in the order of `sources`; never throws for a source
 */
export async function compileSources(
  loaded: LoadedConfig,
  sources: readonly SourceConfig[],
  options: CompileOptions,
): Promise<SourceOutcome[]> {
  const compiler = createCompiler();
  const slots = createSlots(CONCURRENT_SOURCES);
  try {
    return await Promise.all(
      sources.map((source) =>
        slots.take(async () => {
          const outcome = await compileOne(compiler, loaded, source, options.bundleDir);
          options.onDone?.(outcome);
          return outcome;
        }),
      ),
    );
  } finally {
    await compiler.close();
  }
}

async function compileOne(
  compiler: Compiler,
  loaded: LoadedConfig,
  source: SourceConfig,
  bundleDir: string,
): Promise<SourceOutcome> {
  const started = performance.now();
  const job = {
    source,
    baseDir: loaded.baseDir,
    dataDir: loaded.dataDir,
    bundleDir,
    maxMetaBytes: loaded.config.limits.maxMetaBytes,
    allowPrivate: true,
  };
  const ended = () => ({ source: source.name, durationMs: performance.now() - started });
  try {
    await forgetUnusable(compiler, bundleDir, source.name);
    const { outcome, record } = await compiler.refresh(job);
    const bundle = record.bundles.find(({ hash }) => hash === record.current);
    if (!bundle) throw new BerthError('store_unreadable', `The manifest names no bundle of ${source.name}.`);
    const { bytes } = await compiler.load(bundleDir, source.name, record.current);
    return { ...ended(), outcome, bundle, rejected: unpackBundle(bytes).header.rejected };
  } catch (error) {
    const known =
      error instanceof BerthError
        ? error
        : new BerthError('source_failed', messageOf(error), { cause: error });
    return { ...ended(), outcome: 'failed', error: known };
  }
}

/** A current bundle that is gone or damaged is compiled anew, also when its source did not change. */
async function forgetUnusable(compiler: Compiler, bundleDir: string, source: string): Promise<void> {
  const store = new BundleStore(bundleDir);
  const record = await store.readSource(source);
  if (!record) return;
  try {
    await compiler.load(bundleDir, source, record.current);
  } catch (error) {
    if (!(error instanceof BerthError) || !UNUSABLE.has(error.code)) throw error;
    await store.updateSource(source, (known) => known && { ...known, input: { digest: '', settings: '' } });
  }
}
