import { join } from 'node:path';
import { BundleSegment } from '../../server/view/bundle-segment.ts';
import { World } from '../../server/view/world.ts';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import type { BundleRecord } from '../../sources/bundle/manifest.ts';
import { openBundle } from '../../sources/bundle/open-bundle.ts';
import type { Config, LoadedConfig, SourceConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { normalizeClaims } from '../../sources/model/claims.ts';
import type { Segment } from '../../sources/model/entry-table.ts';
import { compileSources, isCompiled } from '../compile-sources.ts';
import { readManaged } from './read-managed.ts';

/** What would be served, and what is missing from it. */
export interface OfflineWorld {
  readonly world: World;
  readonly notes: readonly string[];
}

/**
 * Opens the registries of a configuration as they would be served: the bundles there are, those that are missing
 * compiled first, and what was published.
 * @param registry only its sources are opened; all of them when there is no such registry
 */
export async function loadWorld(loaded: LoadedConfig, registry: string): Promise<OfflineWorld> {
  const { config, dataDir } = loaded;
  const wanted = config.registries.find(({ name }) => name === registry)?.sources ?? [];
  const sources = config.sources.filter(({ name }) => wanted.includes(name));
  const segments: Segment[] = [];
  const notes: string[] = [];
  for (const source of sources.filter(isCompiled)) {
    try {
      segments.push(await openSource(loaded, source));
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      notes.push(`source ${source.name} has no bundle and cannot be compiled: ${error.describe()}`);
    }
  }
  const managed = sources.filter((source) => source.managed).map(({ name }) => name);
  if (managed.length > 0 && config.database) {
    notes.push(
      `published entries (${managed.join(', ')}) are in the database: ask the running service, GET /v1/explain`,
    );
  } else {
    segments.push(...(await readManaged(dataDir, managed)));
  }
  for (const { name } of sources.filter((source) => source.kubernetes)) {
    notes.push(`entries of source ${name} are only known to the running service: GET /v1/explain`);
  }
  return { world: buildWorld(config, segments), notes };
}

/** The registries of a configuration over the sources that are open. */
export function buildWorld(config: Config, segments: readonly Segment[]): World {
  const plans = config.registries.map(({ name, description, claims, sources }) => ({
    name,
    description,
    claims: normalizeClaims(claims),
    sources,
  }));
  return World.build(plans, new Map(segments.map((segment) => [segment.source, segment])));
}

async function openSource(loaded: LoadedConfig, source: SourceConfig): Promise<Segment> {
  const bundleDir = join(loaded.dataDir, 'bundles');
  const store = new BundleStore(bundleDir);
  const record = await store.readSource(source.name);
  const current = record?.bundles.find(({ hash }) => hash === record.current);
  if (current) {
    try {
      return await openRecord(store, source, current);
    } catch (error) {
      // A bundle that is gone or damaged is compiled anew below.
      if (!(error instanceof BerthError)) throw error;
    }
  }
  const [outcome] = await compileSources(loaded, [source], { bundleDir });
  if (!outcome || outcome.outcome === 'failed') {
    throw outcome?.error ?? new BerthError('source_failed', `Source ${source.name} was not compiled.`);
  }
  return openRecord(store, source, outcome.bundle);
}

/**
 * Opens a kept bundle.
 * @param seenAt when entries without a date of their own count as seen, in milliseconds since the epoch
 * @throws BerthError `bundle_missing`, `bundle_tampered`, `bundle_unreadable`
 */
export async function openRecord(
  store: BundleStore,
  source: SourceConfig,
  record: BundleRecord,
  seenAt = 0,
): Promise<Segment> {
  const bytes = await store.readBundle(source.name, record.hash);
  const bundle = openBundle(bytes, record.hash, undefined, seenAt);
  return new BundleSegment(source.name, source.claims, bundle, record);
}
