import { join } from 'node:path';
import type { World } from '../../server/view/world.ts';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import type { LoadedConfig, SourceConfig } from '../../sources/config/schema.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Segment } from '../../sources/model/entry-table.ts';
import { compileSources, isCompiled, type SourceOutcome } from '../compile-sources.ts';
import { buildWorld, openRecord } from '../explain/load-world.ts';
import { readManaged } from '../explain/read-managed.ts';

export interface ExportWorldOptions {
  /** Fetches every source first, as `berth build` does; else the bundles are taken as they are. */
  readonly build: boolean;
  /** When entries without a date of their own count as seen, in milliseconds since the epoch; 0 for unknown. */
  readonly seenAt: number;
  /** Told how many sources are fetched, before the first is done. */
  readonly onStart?: (sources: number) => void;
  /** Told as each source is done. */
  readonly onDone?: (outcome: SourceOutcome) => void;
}

/** What an export is made of, and what is missing from it. */
export interface ExportWorld {
  readonly world: World;
  readonly notes: readonly string[];
}

/**
 * Opens what the configuration names as it is in git, and what was published where that can be read here.
 * @throws BerthError `source_failed` when a source cannot be fetched or has no bundle: half a catalog is not exported
 */
export async function openExportWorld(
  loaded: LoadedConfig,
  options: ExportWorldOptions,
): Promise<ExportWorld> {
  const { config, dataDir } = loaded;
  const listed = new Set(config.registries.flatMap(({ sources }) => sources));
  const sources = config.sources.filter(({ name }) => listed.has(name));
  const segments = await openCompiled(loaded, sources.filter(isCompiled), options);
  const notes = sources
    .filter(({ kubernetes }) => kubernetes)
    .map(({ name }) => `entries of ${name} are only known to the running service and not exported`);
  const managed = sources.filter((source) => source.managed).map(({ name }) => name);
  if (managed.length > 0 && config.database) {
    notes.push(`published entries (${managed.join(', ')}) are in the database and not exported`);
  } else {
    try {
      segments.push(...(await readManaged(dataDir, managed)));
    } catch (error) {
      if (!(error instanceof BerthError)) throw error;
      notes.push(`published entries (${managed.join(', ')}) are not exported: ${error.message}`);
    }
  }
  return { world: buildWorld(config, segments), notes };
}

async function openCompiled(
  loaded: LoadedConfig,
  sources: readonly SourceConfig[],
  { build, seenAt, onStart, onDone }: ExportWorldOptions,
): Promise<Segment[]> {
  const bundleDir = join(loaded.dataDir, 'bundles');
  if (build) {
    onStart?.(sources.length);
    refuseFailures(await compileSources(loaded, sources, { bundleDir, ...(onDone ? { onDone } : {}) }));
  }
  const store = new BundleStore(bundleDir);
  return Promise.all(
    sources.map(async (source) => {
      const record = await store.readSource(source.name);
      const current = record?.bundles.find(({ hash }) => hash === record.current);
      if (current) return openRecord(store, source, current, seenAt);
      throw new BerthError('source_failed', `Source ${source.name} has no bundle.`, {
        fix: 'Run `berth build`, or export without --no-build.',
      });
    }),
  );
}

function refuseFailures(outcomes: readonly SourceOutcome[]): void {
  const failures = outcomes.flatMap((one) =>
    one.outcome === 'failed' ? [`${one.source}: ${messageOf(one.error)}`] : [],
  );
  if (failures.length === 0) return;
  throw new BerthError(
    'source_failed',
    `Nothing was exported, because sources cannot be compiled:\n${failures.join('\n')}\n`,
    { fix: 'Repair them, or export the bundles that are kept with --no-build.' },
  );
}
