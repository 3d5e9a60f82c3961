import type { EntryType } from '../../../sources/model/entry.ts';
import type { EntryTable } from '../../../sources/model/entry-table.ts';
import type { Found } from '../../view/query.ts';
import { type EntryFacts, readFacts } from './entry-facts.ts';

/** The facts of the latest versions of a table, by name, as they were in a segment of that generation. */
interface TableFacts {
  generation: number;
  readonly byName: Map<string, EntryFacts>;
}

const known = new WeakMap<EntryTable, TableFacts>();

/**
 * The facts of the latest version of a name, read once: for a bundle for as long as it is served, for a managed source
 * until the name changes.
 * @param latest the row of the latest version, in the newest segment of its source
 */
export function recallFacts(type: EntryType, name: string, latest: Found): EntryFacts {
  const { byName } = bringUpToDate(latest);
  const facts = byName.get(name) ?? readFacts(type, latest);
  byName.set(name, facts);
  return facts;
}

function bringUpToDate({ part: { segment }, table }: Found): TableFacts {
  const facts = known.get(table) ?? { generation: segment.generation, byName: new Map() };
  known.set(table, facts);
  // Segments without a list of changes are replaced as a whole: their tables stay as they are.
  if (facts.generation === segment.generation || !segment.changesSince) return facts;
  const changes = segment.changesSince(facts.generation);
  if (changes) for (const { type, name } of changes) if (type === table.type) facts.byName.delete(name);
  if (!changes) facts.byName.clear();
  facts.generation = segment.generation;
  return facts;
}
