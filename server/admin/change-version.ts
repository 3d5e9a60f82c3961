import { z } from 'zod';
import type { EntryStatus } from '../../sources/model/entry.ts';
import { requireRole } from '../authz/decide.ts';
import { HttpError } from '../http/problem.ts';
import { entryNotFound } from '../overlay/overlay.ts';
import type { EntryKey } from '../overlay/overlay-store.ts';
import type { AdminCall, AdminResult } from './admin-route.ts';
import type { EntryContext } from './entry-context.ts';
import { admitVisible, type EntryCall, findManagedEntry, readEntryType } from './find-entry.ts';

const MOST_MESSAGE_LENGTH = 500;

const patchSchema = z.strictObject({
  status: z.enum(['active', 'deprecated', 'deleted'], 'status must be active, deprecated or deleted.'),
  statusMessage: z
    .string('statusMessage must be text.')
    .refine(
      (text) => [...text].length <= MOST_MESSAGE_LENGTH,
      `statusMessage must have at most ${MOST_MESSAGE_LENGTH} characters.`,
    )
    .refine((text) => !text.includes('\0'), 'statusMessage must not hold a NUL character.')
    .optional(),
});

/**
 * `DELETE /v1/entries/{type}/{name}/versions/{version}` (contract 6): gone for good, the entry with its last version.
 * @throws HttpError 403 `role_missing`, 400 `type_invalid`, 404 `entry_not_found`, `entry_not_managed`, 403
 *   `entry_forbidden`, 503 `store_unavailable`
 */
export async function deleteVersion(context: EntryContext, call: EntryCall): Promise<AdminResult> {
  requireRole(call.identity, 'manageEntries');
  const key = findManagedEntry(context, call);
  await context.overlay.deleteVersion(key, call.params.version ?? '', admitVisible(call.identity));
  return { status: 204 };
}

/**
 * `PATCH` of the same (contract 6): sets the status; a message goes with `deprecated` and `deleted` only.
 * @returns 200 with the version as the consumer API shows it
 * @throws HttpError as `deleteVersion`, and 400 `status_invalid`
 */
export async function patchVersion(context: EntryContext, call: AdminCall): Promise<AdminResult> {
  requireRole(call.identity, 'manageEntries');
  readEntryType(call);
  const change = readPatch(call.body);
  const version = call.params.version ?? '';
  const key = findManagedEntry(context, call);
  await context.overlay.setStatus(key, version, change, admitVisible(call.identity));
  return showVersion(context, key, version);
}

/**
 * `GET` of the same: where the `Location` of a publish leads. What the caller does not see is 404, as all reads of the
 * admin API but those of claims.
 * @throws HttpError 403 `role_missing`, 400 `type_invalid`, 404 `entry_not_found`, `entry_not_managed`
 */
export function readVersion(context: EntryContext, call: EntryCall): AdminResult {
  requireRole(call.identity, 'manageEntries');
  return showVersion(context, findForReading(context, call), call.params.version ?? '');
}

function findForReading(context: EntryContext, call: EntryCall): EntryKey {
  try {
    return findManagedEntry(context, call);
  } catch (error) {
    throw error instanceof HttpError && error.status === 403 ? entryNotFound() : error;
  }
}

function readPatch(body: unknown): { readonly status: EntryStatus; readonly statusMessage?: string } {
  const parsed = patchSchema.safeParse(body);
  if (!parsed.success) throw statusInvalid(parsed.error.issues[0]?.message ?? 'The body must be an object.');
  const { status, statusMessage } = parsed.data;
  if (!statusMessage) return { status };
  if (status === 'active') throw statusInvalid('An active version has no statusMessage: leave it out.');
  return { status, statusMessage };
}

function showVersion(
  { overlay }: EntryContext,
  { source, type, name }: EntryKey,
  version: string,
): AdminResult {
  const segment = overlay.segmentOf(source);
  const table = type === 'server' ? segment.servers : segment.skills;
  const index = table.find(name);
  const row = table.rowsOf(index).find((candidate) => table.versionOf(candidate) === version);
  if (row === undefined) throw entryNotFound();
  const pieces = [...table.writeItem(row, table.latestOf(index) === row), segment.origin, '}}'];
  const item = pieces.map((piece) =>
    typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'),
  );
  return { status: 200, body: JSON.parse(item.join('')) };
}

function statusInvalid(detail: string): HttpError {
  return new HttpError(400, 'status_invalid', detail);
}
