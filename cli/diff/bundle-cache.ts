import type { OpenBundle } from '../../sources/bundle/open-bundle.ts';
import type { LoadedConfig, SourceConfig } from '../../sources/config/schema.ts';

/**
 * Bundles of sources that do not lie in the configuration's own tree. Both sides of a comparison share them: fetched
 * twice they could differ only by what changed in between.
 */
export class BundleCache {
  readonly #known = new Map<string, OpenBundle>();

  find(source: SourceConfig, loaded: LoadedConfig): OpenBundle | undefined {
    return this.#known.get(keyOf(source, loaded));
  }

  keep(source: SourceConfig, loaded: LoadedConfig, bundle: OpenBundle): void {
    if (source.file?.path === undefined) this.#known.set(keyOf(source, loaded), bundle);
  }
}

function keyOf(
  { syncPolicy: _interval, claims: _claims, ...settings }: SourceConfig,
  loaded: LoadedConfig,
): string {
  const place = settings.git || settings.file?.path ? loaded.baseDir : '';
  return JSON.stringify([settings, loaded.config.limits.maxMetaBytes, place]);
}
