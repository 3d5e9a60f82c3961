import { compareNewestFirst, findLatest, readVersion } from '../../sources/model/version.ts';
import { findNearestServers, partAfterSlash } from './nearest-servers.ts';
import type { RegistryClient, RegistryEntry } from './registry-client.ts';

/** A registry all of whose entries are at hand. Deleted versions are left out. */
export function createListedRegistry(location: string, entries: readonly RegistryEntry[]): RegistryClient {
  const servers = new Map<string, RegistryEntry[]>();
  for (const entry of entries) {
    if (entry.status === 'deleted') continue;
    servers.set(entry.name, [...(servers.get(entry.name) ?? []), entry]);
  }
  const latest = [...servers.values()].flatMap((versions) => pickLatest(versions) ?? []);
  return {
    location,
    async find(name, version) {
      const names = servers.has(name)
        ? [name]
        : [...servers.keys()].filter((known) => !name.includes('/') && partAfterSlash(known) === name);
      if (names.length > 1) return { kind: 'ambiguous', names };
      const versions = servers.get(names[0] ?? '');
      if (versions === undefined) {
        return { kind: 'missing', nearest: findNearestServers(name, [...servers.keys()]) };
      }
      const entry =
        version === undefined || version === 'latest'
          ? pickLatest(versions)
          : versions.find((known) => known.version === version);
      if (entry !== undefined) return { kind: 'found', entry };
      return { kind: 'missing', nearest: [], versions: versions.map((known) => known.version) };
    },
    search: async (query) => latest.filter((entry) => holdsWords(entry, query)),
    list: async () => latest,
  };
}

function pickLatest(versions: readonly RegistryEntry[]): RegistryEntry | undefined {
  const ordered = versions
    .map((entry) => ({ entry, order: readVersion(entry.version) }))
    .sort((a, b) => compareNewestFirst(a.order, b.order));
  return ordered[findLatest(ordered.map(({ order }) => order))]?.entry;
}

/** Whether every word of a search is in the name, title or description. */
export function holdsWords({ server }: RegistryEntry, query: string): boolean {
  const text = `${server.name} ${server.title ?? ''} ${server.description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
