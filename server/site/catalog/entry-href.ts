import type { EntryType } from '../../../sources/model/entry.ts';

/**
 * The page of an entry, root-relative.
 * @param name `namespace/name`
 * @param version undefined for the latest
 */
export function entryHref(registry: string, type: EntryType, name: string, version?: string): string {
  const path = [...name.split('/'), ...(version === undefined ? [] : [version])];
  return `/catalog/${registry}/${type}s/${path.map(encodeURIComponent).join('/')}`;
}
