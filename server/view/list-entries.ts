import { compareNewestFirst, readVersion } from '../../sources/model/version.ts';
import { mergeNames } from './merge-names.ts';
import { type Found, type ListQuery, type Page, type Position, selectRows } from './query.ts';
import type { Sight } from './registry-view.ts';
import { searchEntries } from './search-entries.ts';

/**
 * A page of what the caller sees, in order of name and then version, newest first; a search in order of rank
 * (contract 5). Starts behind `after`, whatever was added or removed since that was given out.
 */
export function listEntries(sight: Sight, query: ListQuery): Page {
  return query.search === undefined ? listInOrder(sight, query) : searchEntries(sight, query, query.search);
}

function listInOrder(sight: Sight, query: ListQuery): Page {
  const { after, limit, type, source, tag } = query;
  const items: Found[] = [];
  for (const { part, table, index, name } of mergeNames(sight.parts, {
    type,
    source,
    tag,
    from: after?.name ?? '',
  })) {
    let rows = selectRows(table, index, query);
    if (after && name === after.name)
      rows = rows.filter((row) => isAfter(table.versionOf(row), after.version));
    const latest = table.latestOf(index);
    for (const row of rows) {
      const found = { part, table, row, isLatest: row === latest };
      if (query.accepts && !query.accepts(found)) continue;
      const last = items.at(-1);
      if (items.length === limit && last) return { items, next: positionOf(last), reach: name };
      items.push(found);
    }
  }
  return { items };
}

export function positionOf(found: Found): Position {
  return {
    name: found.table.nameAt(found.table.nameIndexOf(found.row)),
    version: found.table.versionOf(found.row),
  };
}

/** Is `version` listed behind `other`? */
export function isAfter(version: string, other: string): boolean {
  return compareNewestFirst(readVersion(version), readVersion(other)) > 0;
}
