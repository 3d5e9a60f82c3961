import { type ClaimSet, normalizeClaims } from '../../sources/model/claims.ts';
import type { EntryType } from '../../sources/model/entry.ts';
import type { Identity } from '../auth/identity.ts';
import { mayPass } from '../authz/decide.ts';
import { HttpError } from '../http/problem.ts';
import { type Admit, entryNotFound } from '../overlay/overlay.ts';
import type { EntryKey } from '../overlay/overlay-store.ts';
import type { AdminCall } from './admin-route.ts';
import type { EntryContext } from './entry-context.ts';

/** A call on one entry: `type` and `name` in the path, perhaps `?source=`. */
export type EntryCall = Pick<AdminCall, 'identity' | 'params' | 'query'>;

interface Asked {
  readonly type: EntryType;
  readonly name: string;
  readonly source: string | undefined;
}

/** @throws HttpError 400 `type_invalid` */
export function readEntryType({ params }: EntryCall): EntryType {
  const { type } = params;
  if (type === 'server' || type === 'skill') return type;
  throw new HttpError(400, 'type_invalid', 'The type of an entry is `server` or `skill`.');
}

/**
 * The managed entry a call is about (contract 6): of the sources that hold it, the first the caller sees it in, in the
 * order of the configuration; `?source=` names one.
 * @throws HttpError 400 `type_invalid`; 403 `entry_forbidden` when it is there and the caller does not see it; 404
 *   `entry_not_managed` when only a synced source has it, 404 `entry_not_found`
 */
export function findManagedEntry(context: EntryContext, call: EntryCall): EntryKey {
  const { identity, params, query } = call;
  const asked = { type: readEntryType(call), name: params.name ?? '', source: query.get('source') };
  const sources = context.managedSources().map(({ name }) => name);
  const wanted = sources.filter((name) => asked.source === undefined || name === asked.source);
  const holders = context.overlay.findEntry(asked.type, asked.name, wanted);
  const visible = holders.find((key) => mayPass(identity, normalizeClaims(context.overlay.readClaims(key))));
  if (visible) return visible;
  if (holders.length > 0) throw entryForbidden();
  throw seesSynced(context, identity, asked, sources) ? notManaged() : entryNotFound();
}

/** Refuses a change of an entry the caller does not see at that moment (specification 5.12). */
export function admitVisible(identity: Identity): Admit {
  return (claims: ClaimSet) => {
    if (!mayPass(identity, claims)) throw entryForbidden();
  };
}

/** Whether a synced source shows the caller an entry of that name; one out of sight is not told from none. */
function seesSynced(
  { world }: EntryContext,
  identity: Identity,
  { type, name, source }: Asked,
  managed: readonly string[],
): boolean {
  for (const segment of world().segments.values()) {
    if (managed.includes(segment.source) || (source !== undefined && segment.source !== source)) continue;
    const table = type === 'server' ? segment.servers : segment.skills;
    const index = table.find(name);
    if (index >= 0 && mayPass(identity, segment.classes[table.classOf(index)] ?? [])) return true;
  }
  return false;
}

function entryForbidden(): HttpError {
  return new HttpError(403, 'entry_forbidden', 'Your claims do not give access to this entry.');
}

function notManaged(): HttpError {
  return new HttpError(
    404,
    'entry_not_managed',
    'This entry comes from a synced source: change it there. Only published entries are changed through the API.',
  );
}
