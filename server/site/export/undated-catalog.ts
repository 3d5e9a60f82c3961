import { OFFICIAL_META } from '../../../sources/model/meta-keys.ts';
import { isPlainObject } from '../../../sources/model/plain-object.ts';
import type { CatalogReader, EntryDetail } from '../catalog-reader.ts';

/**
 * A catalog without the dates nobody gave: when this machine first saw an entry differs from one build to the next, so
 * an export counts such entries from the beginning of 1970, and does not tell it.
 */
export function withoutUnknownDates(catalog: CatalogReader): CatalogReader {
  return {
    listRegistries: () => catalog.listRegistries(),
    listEntries: (registry, filters, limit) => catalog.listEntries(registry, filters, limit),
    readEntry: (registry, type, name, version) => {
      const detail = catalog.readEntry(registry, type, name, version);
      return detail.refused ? detail : { ...detail, json: dropUnknownDates(detail) };
    },
  };
}

function dropUnknownDates({ json, publishedAt, card }: EntryDetail): string {
  if (publishedAt > 0 && card.updatedAt > 0) return json;
  const item: unknown = JSON.parse(json);
  const meta = isPlainObject(item) ? item._meta : undefined;
  const official = isPlainObject(meta) ? meta[OFFICIAL_META] : undefined;
  if (!isPlainObject(item) || !isPlainObject(meta) || !isPlainObject(official)) return json;
  const known = Object.entries(official).filter(
    ([, value]) => typeof value !== 'string' || Date.parse(value) !== 0,
  );
  return JSON.stringify(
    { ...item, _meta: { ...meta, [OFFICIAL_META]: Object.fromEntries(known) } },
    undefined,
    2,
  );
}
