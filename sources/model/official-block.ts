import type { EntryStatus } from './entry.ts';
import { OFFICIAL_META } from './meta-keys.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';

/** What an upstream registry says of a version; times are milliseconds since the epoch. */
export interface OfficialBlock {
  readonly status?: EntryStatus;
  readonly statusMessage?: string;
  readonly publishedAt?: number;
  readonly updatedAt?: number;
  readonly statusChangedAt?: number;
  /** The status as it was given, when it is none that is known. */
  readonly unknownStatus?: string;
}

/** Reads the official block of a `_meta`; a date that cannot be read counts as absent. Older snake_case names are read too. */
export function readOfficialBlock(meta: PlainObject | undefined): OfficialBlock {
  const block = meta?.[OFFICIAL_META];
  if (!isPlainObject(block)) return {};
  const { status, statusMessage } = block;
  const publishedAt = readTime(block.publishedAt ?? block.published_at);
  const updatedAt = readTime(block.updatedAt ?? block.updated_at);
  const statusChangedAt = readTime(block.statusChangedAt);
  return {
    ...(isEntryStatus(status) ? { status } : status === undefined ? {} : { unknownStatus: String(status) }),
    ...(typeof statusMessage === 'string' && statusMessage !== '' ? { statusMessage } : {}),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(statusChangedAt === undefined ? {} : { statusChangedAt }),
  };
}

/** Whether a value is one of the states of a version. */
export function isEntryStatus(value: unknown): value is EntryStatus {
  return value === 'active' || value === 'deprecated' || value === 'deleted';
}

function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
