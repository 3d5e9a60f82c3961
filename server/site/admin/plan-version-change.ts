import type { EntryType } from '../../../sources/model/entry.ts';
import { withQuery } from './admin-api.ts';
import { entryApiPath, versionHref } from './admin-paths.ts';
import type { NoticeCode } from './notices.ts';
import { readText } from './page-request.ts';
import { readClaimsText } from './read-claims-text.ts';

/** A version of a managed entry, as an address names it. */
export interface AskedVersion {
  readonly type: EntryType;
  readonly name: string;
  readonly version: string;
  /** The managed source it is in, for names that several have. */
  readonly source: string | undefined;
}

/** What a form asks of the API, or why it is not asked. */
export type VersionChange =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly method: 'PATCH' | 'DELETE' | 'PUT';
      readonly path: string;
      readonly body?: unknown;
      readonly notice: NoticeCode;
      readonly leavesTo: string;
    };

/** Reads which of the forms of a version was sent, and what the API is to be asked for it. */
export function planVersionChange(asked: AskedVersion, action: string, form: FormData): VersionChange {
  const { type, name, version, source } = asked;
  const here = versionHref(type, name, version, source);
  const ofVersion = versionApiPath(asked);
  const isConfirmed = readText(form, 'confirm') === 'yes';
  switch (action) {
    case 'deprecate': {
      const statusMessage = readText(form, 'message').trim();
      const body = { status: 'deprecated', ...(statusMessage === '' ? {} : { statusMessage }) };
      return { ok: true, method: 'PATCH', path: ofVersion, body, notice: 'deprecated', leavesTo: here };
    }
    case 'restore':
      return {
        ok: true,
        method: 'PATCH',
        path: ofVersion,
        body: { status: 'active' },
        notice: 'restored',
        leavesTo: here,
      };
    case 'delete':
      if (!isConfirmed) return { ok: false, message: 'Tick the box to delete this version for good.' };
      return {
        ok: true,
        method: 'DELETE',
        path: ofVersion,
        notice: 'version-deleted',
        leavesTo: '/admin/entries',
      };
    case 'claims': {
      const read = readClaimsText(readText(form, 'claims'));
      if (!read.ok) return { ok: false, message: read.message };
      if (!read.claims)
        return { ok: false, message: 'To take all claims away, write {}: only super-admins see it then.' };
      if (!isConfirmed) return { ok: false, message: 'Tick the box to change who sees this entry.' };
      const path = withQuery(`${entryApiPath(type, name)}/claims`, { source });
      const body = { claims: read.claims };
      return { ok: true, method: 'PUT', path, body, notice: 'claims-changed', leavesTo: here };
    }
    default:
      return { ok: false, message: 'There is no such form on this page.' };
  }
}

/** The version in the API. */
export function versionApiPath({ type, name, version, source }: AskedVersion): string {
  return withQuery(`${entryApiPath(type, name)}/versions/${encodeURIComponent(version)}`, { source });
}
