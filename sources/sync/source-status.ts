import type { BundleRecord } from '../bundle/manifest.ts';
import type { Rejection } from '../model/entry.ts';

export type SyncPhase = 'pending' | 'syncing' | 'complete' | 'failed';

/** What is known about a source's synchronisation (contract 6, S.status). Times are milliseconds since the epoch. */
export interface SourceStatus {
  readonly phase: SyncPhase;
  readonly lastSyncTime: number | undefined;
  readonly lastAttemptTime: number | undefined;
  /** Failures in a row. */
  readonly attempts: number;
  readonly message: string;
  readonly rejected: readonly Rejection[];
  /** Names served; what the bundle counts, unless the source has none. */
  readonly servers: number;
  readonly skills: number;
  readonly bundle: BundleRecord | undefined;
}

export const PENDING: SourceStatus = {
  phase: 'pending',
  lastSyncTime: undefined,
  lastAttemptTime: undefined,
  attempts: 0,
  message: 'Not synchronised yet.',
  rejected: [],
  servers: 0,
  skills: 0,
  bundle: undefined,
};

/** Entries for a person: `12 servers, 3 skills, 1 rejected`. */
export function countEntries({ servers, skills, rejected }: BundleRecord): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return `${count(servers, 'server')}, ${count(skills, 'skill')}${rejected > 0 ? `, ${rejected} rejected` : ''}`;
}
