import { printTable } from '../print-table.ts';
import { listPackageTypes } from './describe-entry.ts';
import type { RegistryEntry } from './registry-client.ts';

/** Servers of a registry as a table. */
export function printEntries(entries: readonly RegistryEntry[]): string[] {
  if (entries.length === 0) return ['There are no servers.'];
  return printTable<RegistryEntry>(
    [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'VERSION', of: ({ version }) => version },
      { title: 'PACKAGES', of: (entry) => listPackageTypes(entry).join(',') },
      { title: 'DESCRIPTION', of: ({ server }) => server.description },
    ],
    entries,
  );
}

/** The same for programs. */
export function toJsonEntry(entry: RegistryEntry): object {
  const { name, version, status, server } = entry;
  return { name, version, status, description: server.description, packages: listPackageTypes(entry) };
}
