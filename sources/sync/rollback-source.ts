import type { BundleStore } from '../bundle/bundle-store.ts';
import type { SourceRecord } from '../bundle/manifest.ts';
import { BerthError } from '../errors.ts';
import { moveTimes } from './move-times.ts';

/**
 * Makes an earlier bundle of a source the current one (contract 4). What was fetched last stays on record, so the
 * next sync changes nothing until the source itself changes.
 * @param wanted the start of a hash, at least 4 characters; undefined means the bundle before the current one
 * @throws BerthError `bundle_unknown`, `bundle_tampered`, `bundle_missing`
 */
export async function rollbackSource(
  store: BundleStore,
  source: string,
  wanted: string | undefined,
): Promise<SourceRecord> {
  const record = await store.readSource(source);
  if (!record) {
    throw new BerthError('bundle_unknown', `Source ${source} has no bundles.`, {
      fix: 'List them with `berth bundles list`.',
    });
  }
  const target = findTarget(record, source, wanted);
  const bytes = await store.readBundle(source, target);
  if (target !== record.current) await moveTimes(store, source, record.current, bytes, target);
  const after = await store.updateSource(source, (known) => known && { ...known, current: target });
  return after ?? record;
}

function findTarget(record: SourceRecord, source: string, wanted: string | undefined): string {
  const hashes = record.bundles.map((bundle) => bundle.hash);
  const prefix = wanted?.replace(/^sha256[:-]/, '').toLowerCase();
  const matches =
    prefix === undefined
      ? hashes.slice(hashes.indexOf(record.current) + 1, hashes.indexOf(record.current) + 2)
      : hashes.filter((hash) => prefix.length >= 4 && hash.startsWith(prefix));
  const [match, other] = matches;
  if (match && !other) return match;
  const what =
    prefix === undefined
      ? `Source ${source} has no bundle before the current one.`
      : `Source ${source} has ${other ? 'several bundles' : 'no bundle'} that start with ${prefix}.`;
  throw new BerthError('bundle_unknown', what, {
    fix: `Known: ${hashes.map((hash) => hash.slice(0, 12)).join(', ')}.`,
  });
}
