import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import type { OpenBundle } from '../../sources/bundle/open-bundle.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { compileSources, isCompiled } from '../compile-sources.ts';
import type { BundleCache } from './bundle-cache.ts';
import type { ComparedState } from './compared-state.ts';
import { openCurrent } from './open-bundles.ts';

export interface CompileConfigOptions {
  readonly scratch: string;
  readonly cache: BundleCache;
  /** Where relative paths of git and api sources start, when not at the configuration: secrets are in no revision. */
  readonly remoteBaseDir?: string;
}

/**
 * Compiles what a configuration names, apart from what is served.
 * @throws BerthError of the first source that fails: what is left out would look removed
 */
export async function compileConfig(
  label: string,
  loaded: LoadedConfig,
  { scratch, cache, remoteBaseDir = loaded.baseDir }: CompileConfigOptions,
): Promise<ComparedState> {
  const bundles = new Map<string, OpenBundle>();
  const bundleDir = await mkdtemp(join(scratch, 'bundles-'));
  const store = new BundleStore(bundleDir);
  const compiled = loaded.config.sources.filter(isCompiled);
  for (const local of [true, false]) {
    const place = { ...loaded, baseDir: local ? loaded.baseDir : remoteBaseDir, dataDir: scratch };
    const sources = compiled.filter((source) => (source.file !== undefined) === local);
    const missing = sources.filter((source) => {
      const known = cache.find(source, place);
      if (known) bundles.set(source.name, known);
      return !known;
    });
    const outcomes = await compileSources(place, missing, { bundleDir });
    for (const [index, outcome] of outcomes.entries()) {
      const source = missing[index];
      if (outcome.outcome === 'failed') throw outcome.error;
      if (!source) continue;
      const bundle = await openCurrent(store, source.name, outcome.bundle.hash);
      cache.keep(source, place, bundle);
      bundles.set(source.name, bundle);
    }
  }
  const others = loaded.config.sources.filter((source) => !isCompiled(source)).map(({ name }) => name);
  const notes = others.length === 0 ? [] : [`not compared, because nothing is fetched: ${others.join(', ')}`];
  return { label, config: loaded, bundles, notes };
}
