import { decodeCursor, encodeCursor } from '../../consumer/cursor.ts';
import { HttpError } from '../../http/problem.ts';
import { findVersion } from '../../view/find-entry.ts';
import { listEntries, positionOf } from '../../view/list-entries.ts';
import type { Filters, Found, Position } from '../../view/query.ts';
import type { Sight } from '../../view/registry-view.ts';
import type { EntryCard, EntryFilters, EntryPage } from '../catalog-reader.ts';
import { indexSight } from './index-sight.ts';
import { recallFacts } from './known-facts.ts';
import { makeEntryCard } from './make-card.ts';
import { type FactFilters, passesFilters } from './sight-index.ts';

interface Selection {
  readonly found: readonly Found[];
  readonly next: Position | undefined;
  readonly total: number | undefined;
}

/**
 * A page of the latest versions a viewer sees: in order of name, or a search in order of rank.
 * @throws HttpError 400 `cursor_invalid`
 */
export function listCards(
  sight: Sight,
  filters: EntryFilters,
  limit: number,
): Omit<EntryPage, 'registry' | 'refused'> {
  const { type } = filters;
  const query = readQuery(filters);
  const facts = factFilters(filters);
  const after = readCursor(filters.cursor, query);
  const { found, next, total } =
    query.search === undefined
      ? selectInOrder(sight, query, facts, after, limit)
      : selectHits(sight, query, facts, after, limit);
  const index = indexSight(sight, type);
  return {
    entries: found.map((one) => cardOf(sight, filters, one)),
    total,
    next: next && encodeCursor({ filters: query, after: next }),
    facets: {
      tags: index.tags.facets,
      transports: index.transports.facets,
      packages: index.packages.facets,
    },
  };
}

/** What of the filters the consumer API has too: a cursor carries it. */
function readQuery({ type, q, tag }: EntryFilters): Filters {
  const search = q.trim();
  return {
    type,
    version: 'latest',
    ...(search === '' ? {} : { search }),
    ...(tag ? { tag } : {}),
    includeDeleted: false,
  };
}

function factFilters({ tag, transport, package: kind }: EntryFilters): FactFilters {
  return { tag: tag || undefined, transport: transport || undefined, package: kind || undefined };
}

/** The place behind which to go on; a score means nothing to another search. */
function readCursor(cursor: string | undefined, query: Filters): Position | undefined {
  if (!cursor) return undefined;
  const { filters, after } = decodeCursor(cursor, query.type);
  const isSame = filters.search === query.search && filters.tag === query.tag;
  if (isSame && (after.score === undefined) === (query.search === undefined)) return after;
  throw new HttpError(400, 'cursor_invalid', 'The cursor is of another list: start again without it.');
}

function selectInOrder(
  sight: Sight,
  { type }: Filters,
  filters: FactFilters,
  after: Position | undefined,
  limit: number,
): Selection {
  const { names, total } = indexSight(sight, type).select(filters, after?.name, limit + 1);
  const found = names
    .slice(0, limit)
    .flatMap((name) => findVersion(sight, type, name, 'latest', false) ?? []);
  const last = found.at(-1);
  return { found, next: names.length > limit && last ? positionOf(last) : undefined, total };
}

function selectHits(
  sight: Sight,
  query: Filters,
  filters: FactFilters,
  after: Position | undefined,
  limit: number,
): Selection {
  const accepts = (found: Found) => passesFilters(recallFacts(query.type, nameOf(found), found), filters);
  const page = listEntries(sight, { ...query, limit, accepts, ...(after ? { after } : {}) });
  const isAll = !after && !page.next;
  return { found: page.items, next: page.next, total: isAll ? page.items.length : undefined };
}

function cardOf(sight: Sight, { type }: EntryFilters, found: Found): EntryCard {
  return makeEntryCard(sight.registry.settings.name, type, found, recallFacts(type, nameOf(found), found));
}

function nameOf({ table, row }: Found): string {
  return table.nameAt(table.nameIndexOf(row));
}
