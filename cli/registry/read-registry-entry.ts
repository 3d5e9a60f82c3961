import { summarizeProblems } from '../../sources/catalog/describe-problems.ts';
import { readItem } from '../../sources/catalog/read-item.ts';
import { DEFAULT_META_BYTES } from '../../sources/catalog/validation.ts';
import type { CatalogEntry } from '../../sources/model/entry.ts';
import { isPlainObject } from '../../sources/model/plain-object.ts';
import { serverJsonSchema } from '../../sources/model/server-json.ts';
import type { RegistryEntry } from './registry-client.ts';

/** One item of an answer of a registry, `{server, _meta}` of any dated schema; or why it is none. */
export function readRegistryEntry(
  item: unknown,
): { readonly entry: RegistryEntry } | { readonly fault: string } {
  const checked = readItem({ type: 'server', value: item, line: 1 }, DEFAULT_META_BYTES);
  return checked.ok
    ? { entry: toRegistryEntry(checked.entry) }
    : { fault: summarizeProblems(checked.problems) };
}

/** An entry of a catalog as a registry would give it. */
export function toRegistryEntry(
  entry: Pick<CatalogEntry, 'name' | 'version' | 'status' | 'statusMessage' | 'body' | 'vendorMeta'>,
): RegistryEntry {
  const server = serverJsonSchema.parse(entry.body);
  return {
    name: entry.name,
    version: entry.version,
    status: entry.status,
    ...(entry.statusMessage === undefined ? {} : { statusMessage: entry.statusMessage }),
    server,
    meta: { ...entry.vendorMeta, ...(isPlainObject(server._meta) ? server._meta : {}) },
  };
}
