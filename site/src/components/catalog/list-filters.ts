import type { EntryFilters } from '../../../../server/site/catalog-reader.ts';

/** Filters of which an entry has to have the value. */
export const VALUE_FILTERS = ['tag', 'transport', 'package'] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

/** Reads the filters of a list from its address; what is empty is not there. */
export function readFilters(query: URLSearchParams): EntryFilters {
  const read = (name: string) => query.get(name)?.trim() || undefined;
  return {
    type: query.get('type') === 'skill' ? 'skill' : 'server',
    q: read('q') ?? '',
    tag: read('tag'),
    transport: read('transport'),
    package: read('package'),
    cursor: read('cursor'),
  };
}

/**
 * The address of a list.
 * @param changes what differs from the filters; a cursor is only kept when it is one of them
 */
export function listHref(
  registry: string,
  filters: EntryFilters,
  changes: Partial<EntryFilters> = {},
): string {
  const query = new URLSearchParams();
  const { type, q, tag, transport, package: pack, cursor } = { ...filters, cursor: undefined, ...changes };
  if (type === 'skill') query.set('type', type);
  for (const [name, value] of Object.entries({ q, tag, transport, package: pack, cursor }))
    if (value) query.set(name, value);
  const text = query.toString();
  return `/catalog/${encodeURIComponent(registry)}${text === '' ? '' : `?${text}`}`;
}
