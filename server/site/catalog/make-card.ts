import type { EntryType } from '../../../sources/model/entry.ts';
import type { Found } from '../../view/query.ts';
import type { Sight } from '../../view/registry-view.ts';
import type { EntryCard, RegistryCard } from '../catalog-reader.ts';
import type { EntryFacts } from './entry-facts.ts';
import { entryHref } from './entry-href.ts';
import { indexSight } from './index-sight.ts';

/** The card of a registry for who sees it so. */
export function makeRegistryCard(sight: Sight, baseUrl: string): RegistryCard {
  const { name, description } = sight.registry.settings;
  return {
    name,
    description,
    url: `${baseUrl}/registry/${name}`,
    servers: indexSight(sight, 'server').names.length,
    skills: indexSight(sight, 'skill').names.length,
  };
}

/** The card of a version; its page is that of the entry, of a version that is not the latest its own. */
export function makeEntryCard(
  registry: string,
  type: EntryType,
  { table, row, isLatest }: Found,
  facts: EntryFacts,
): EntryCard {
  const name = table.nameAt(table.nameIndexOf(row));
  const version = table.versionOf(row);
  return {
    ...{ type, name, version, ...facts },
    status: table.statusOf(row),
    updatedAt: table.timesOf(row).updated,
    href: entryHref(registry, type, name, isLatest ? undefined : version),
  };
}
