import type { EntryType } from '../../../sources/model/entry.ts';
import { withQuery } from './admin-api.ts';
import type { NoticeCode } from './notices.ts';

/** An address of a page after a form was carried out. */
export function withNotice(path: string, notice: NoticeCode): string {
  return `${path}${path.includes('?') ? '&' : '?'}notice=${notice}`;
}

export function sourceHref(name: string): string {
  return `/admin/sources/${encodeURIComponent(name)}`;
}

export function registryHref(name: string): string {
  return `/admin/registries/${encodeURIComponent(name)}`;
}

/**
 * The page on which a version of a managed entry is changed. A version may be any text, so it stands where every text
 * arrives as it is.
 */
export function versionHref(
  type: EntryType,
  name: string,
  version: string,
  source: string | undefined,
): string {
  const path = [type, ...name.split('/')].map(encodeURIComponent).join('/');
  return withQuery(`/admin/entries/${path}`, { version, source });
}

/** The page that finds a published entry by its name. */
export function findHref(type: EntryType, name: string): string {
  return withQuery('/admin/entries', { type, name });
}

/** The access view of an entry. */
export function accessHref(type: EntryType, name: string, registry?: string): string {
  return withQuery('/admin/access', { registry, type, name });
}

/** The path of an entry in the API. */
export function entryApiPath(type: string, name: string): string {
  return `/v1/entries/${encodeURIComponent(type)}/${encodeURIComponent(name)}`;
}
