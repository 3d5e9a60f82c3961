import type { EntryFilters, EntryPage } from '../../../../server/site/catalog-reader.ts';
import { countOf } from './count-of.ts';

/** Whether a list is narrowed by more than its type. */
export function isFiltered({ q, tag, transport, package: pack }: EntryFilters): boolean {
  return [q, tag, transport, pack].some((value) => value !== undefined && value !== '');
}

/** What stands above a list: how many there are, as far as it is known. */
export function writeTotal({ entries, total, next }: EntryPage, filters: EntryFilters): string {
  const found = isFiltered(filters) ? ' found' : '';
  if (total !== undefined) return `${countOf(total, filters.type)}${found}`;
  const shown = countOf(entries.length, filters.type);
  if (filters.cursor !== undefined) return `${shown} more${found}`;
  return next === undefined ? `${shown}${found}` : `The first ${shown}${found}`;
}
