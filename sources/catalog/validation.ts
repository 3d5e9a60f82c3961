import type { CatalogEntry } from '../model/entry.ts';
import { OFFICIAL_META, ORIGIN_META } from '../model/meta-keys.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';
import type { Problem } from './describe-problems.ts';

/** An entry that is valid, before it is known where it stands. */
export type ValidEntry = Omit<CatalogEntry, 'file' | 'line' | 'files'>;

/** What checking one entry gives: the entry, or everything that is wrong with it. */
export type Validation =
  | { readonly ok: true; readonly entry: ValidEntry }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Bytes of JSON a `_meta` may have when nothing else is set (contract 2, `limits.maxMetaBytes`). */
export const DEFAULT_META_BYTES = 262_144;

/** A validation that failed for one reason. */
export function refuse(path: string, message: string): Validation {
  return { ok: false, problems: [{ path, message }] };
}

/** The body without what only a registry writes into `_meta`; without `_meta` when nothing else was in it. */
export function stripRegistryMeta(body: PlainObject): PlainObject {
  const meta = body._meta;
  if (!isPlainObject(meta) || !(OFFICIAL_META in meta || ORIGIN_META in meta)) return body;
  const own = omitMembers(meta, [OFFICIAL_META, ORIGIN_META]);
  return Object.keys(own).length > 0 ? { ...body, _meta: own } : omitMembers(body, ['_meta']);
}

const DEEPEST = 64;

/** Whether a value is nested deeper than anything real is; such a one is refused before anything recurses into it. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** What is wrong with the size of an entry's `_meta`; undefined when it can be stored. */
export function checkMetaSize(
  body: PlainObject,
  vendorMeta: PlainObject | undefined,
  maxMetaBytes: number,
): Problem | undefined {
  const size = sizeOf(body._meta) + sizeOf(vendorMeta);
  if (size <= maxMetaBytes) return undefined;
  return { path: '_meta', message: `must have at most ${maxMetaBytes} bytes, has ${size}` };
}

function sizeOf(meta: unknown): number {
  return meta === undefined ? 0 : Buffer.byteLength(JSON.stringify(meta));
}
