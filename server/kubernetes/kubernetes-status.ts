import type { KubernetesState } from '../../sources/kinds/kubernetes/kubernetes-watch.ts';
import { PENDING, type SourceStatus } from '../../sources/sync/source-status.ts';

/** A source whose resources were not listed yet. */
export const LISTING: SourceStatus = {
  ...PENDING,
  phase: 'syncing',
  message: 'The resources are being listed for the first time.',
};

/**
 * The status of a kubernetes source (contract 6, S.status): `failed` while anything fails, although what could be read is
 * served. Notes stand behind the counts.
 * @param now milliseconds since the epoch
 */
export function describeState(before: SourceStatus, state: KubernetesState, now: number): SourceStatus {
  const { entries, rejected, notes, failures, attempts } = state;
  const [first, ...others] = failures;
  const counts = `${entries.length} ${entries.length === 1 ? 'server' : 'servers'}${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}.`;
  const failed = first && `${first.describe()}${others.length > 0 ? ` And ${others.length} more.` : ''}`;
  return {
    ...before,
    phase: failed ? 'failed' : 'complete',
    lastSyncTime: failed ? before.lastSyncTime : now,
    lastAttemptTime: now,
    attempts,
    message: [failed ?? counts, ...notes].join(' '),
    rejected,
    servers: entries.length,
    skills: 0,
  };
}
