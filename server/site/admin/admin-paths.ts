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

/** The page on which a version of a managed entry is changed. */
export function versionHref(
  type: EntryType,
  name: string,
  version: string,
  source: string | undefined,
): string {
  const path = [type, ...name.split('/'), version].map(encodeURIComponent).join('/');
  return withQuery(`/admin/entries/${path}`, { source });
}

/** The access view of an entry. */
export function accessHref(type: EntryType, name: string, registry?: string): string {
  return withQuery('/admin/access', { registry, type, name });
}

/** The path of an entry in the API. */
export function entryApiPath(type: string, name: string): string {
  return `/v1/entries/${encodeURIComponent(type)}/${encodeURIComponent(name)}`;
}
