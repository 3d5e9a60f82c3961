import type { EntryType } from '../../../sources/model/entry.ts';
import type { Found } from '../../view/query.ts';
import { type ApiItem, asObject, objectsIn, readItem, textOf } from './read-item.ts';

/** What lists show of a version and filter by, besides what tables know. */
export interface EntryFacts {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly transports: readonly string[];
  readonly packages: readonly string[];
}

/** Reads the facts of a version; costs a parse of its JSON. */
export function readFacts(type: EntryType, found: Found): EntryFacts {
  return factsOfItem(type, found, readItem(type, found));
}

/** The facts of a version whose item was read already. */
export function factsOfItem(type: EntryType, { table, row }: Found, { body }: ApiItem): EntryFacts {
  const name = table.nameAt(table.nameIndexOf(row));
  const packages = objectsIn(body.packages);
  const remotes = type === 'server' ? objectsIn(body.remotes) : [];
  const transports = type === 'server' ? [...packages.map((one) => asObject(one.transport)), ...remotes] : [];
  return {
    title: textOf(body.title) ?? name.slice(name.indexOf('/') + 1),
    description: textOf(body.description) ?? '',
    tags: table.tagsOf(row),
    transports: listKinds(transports.map((transport) => transport.type)),
    packages: listKinds([
      ...packages.map((one) => one.registryType),
      ...(remotes.length > 0 ? ['remote'] : []),
    ]),
  };
}

function listKinds(values: readonly unknown[]): readonly string[] {
  const kinds: string[] = [];
  for (const value of values) {
    const kind = textOf(value);
    if (kind !== undefined && !kinds.includes(kind)) kinds.push(kind);
  }
  return kinds;
}
