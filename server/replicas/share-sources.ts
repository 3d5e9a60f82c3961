import { z } from 'zod';
import type { BundleStore } from '../../sources/bundle/bundle-store.ts';
import type { BundleRecord, SourceRecord } from '../../sources/bundle/manifest.ts';
import type { SharedStatus, SourceSharing } from '../../sources/sync/source-sharing.ts';
import { KeyedQueue } from '../overlay/keyed-queue.ts';
import type { OverlayStore } from '../overlay/overlay-store.ts';
import type { CurrentBundle, ReplicaLink } from '../overlay/postgres/replica-link.ts';

/** Records that ask the leader of a source to fetch it; the name is the source, the content of no meaning. */
export const SYNC_REQUEST_RECORD = 'sync-request';
/** Records that say how fetching a source went. */
export const SYNC_STATUS_RECORD = 'sync-status';

const statusRecord = z.object({
  phase: z.enum(['pending', 'syncing', 'complete', 'failed']),
  lastSyncTime: z.number().optional(),
  lastAttemptTime: z.number().optional(),
  attempts: z.number(),
  message: z.string(),
});

/**
 * The bundles of this process and those of the others: what the leader of a source compiled is stored in the database
 * by its hash, and followers put it into their own store (contract 10).
 * @param newId of a request, so that each is another change
 */
export function shareSources(
  link: ReplicaLink,
  store: BundleStore,
  records: Pick<OverlayStore, 'putRecord' | 'deleteRecord'>,
  newId: () => string,
): SourceSharing {
  const { bundles } = link;
  /** What was current for all when it was last equal to the store of this process; absent when that is in doubt. */
  const equal = new Map<string, CurrentBundle>();
  const queue = new KeyedQueue();

  const share = async (source: string, rollbackOnly: boolean): Promise<void> => {
    const record = await store.readSource(source);
    const bundle = record?.bundles.find(({ hash }) => hash === record.current);
    if (!record || !bundle) return;
    const known = equal.get(source);
    const sameInput = known !== undefined && isSameInput(known.input, record.input);
    if (sameInput ? known.hash === bundle.hash : rollbackOnly) return;
    const times = await store.readTimesFile(source);
    equal.delete(source);
    const shared = sameInput ? await bundles.setCurrent(source, bundle.hash, times) : undefined;
    equal.set(source, shared ?? (await put(source, record, bundle, times)));
  };
  const put = async (
    source: string,
    { input }: SourceRecord,
    record: BundleRecord,
    times: Uint8Array | undefined,
  ): Promise<CurrentBundle> => {
    const bytes = await store.readBundle(source, record.hash);
    return bundles.put({ source, hash: record.hash, input, bytes, times, record });
  };
  /** False when it is not kept any more. */
  const fetchBundle = async (source: string, hash: string, withTimes: boolean): Promise<boolean> => {
    const found = await bundles.get(source, hash);
    if (!found) return false;
    await store.writeBundle(source, found.bytes);
    if (withTimes && found.times) await store.writeTimesFile(source, found.times);
    return true;
  };
  const takeOver = async (source: string): Promise<boolean> => {
    const current = await bundles.findCurrent(source);
    if (!current || current.mark === equal.get(source)?.mark) return false;
    const own = await store.readSource(source);
    const kept: BundleRecord[] = [];
    for (const record of await bundles.listRecords(source)) {
      const isCurrent = record.hash === current.hash;
      const isHere = !isCurrent && own?.bundles.some(({ hash }) => hash === record.hash);
      if (isHere || (await fetchBundle(source, record.hash, isCurrent))) kept.push(record);
    }
    // It became another one meanwhile, which is told as well.
    if (!kept.some(({ hash }) => hash === current.hash)) return false;
    const { hash, input } = current;
    await store.updateSource(source, () => ({ current: hash, bundles: kept, input }));
    equal.set(source, current);
    return true;
  };

  return {
    tryLead: (source) => link.tryLockSource(source),
    push: (source) => queue.run(source, () => share(source, false)),
    pushRollback: (source) => queue.run(source, () => share(source, true)),
    pull: (source) => queue.run(source, () => takeOver(source)),
    askLeader: (source) => records.putRecord(SYNC_REQUEST_RECORD, source, JSON.stringify({ id: newId() })),
    tellStatus: (source, status) => records.putRecord(SYNC_STATUS_RECORD, source, writeStatus(status)),
    readStatus: async (source) => {
      const json = await link.readRecord(SYNC_STATUS_RECORD, source);
      if (json === undefined) return undefined;
      const { lastSyncTime, lastAttemptTime, ...status } = statusRecord.parse(JSON.parse(json));
      return { ...status, lastSyncTime, lastAttemptTime };
    },
    forget: (source) =>
      queue.run(source, async () => {
        equal.delete(source);
        await bundles.drop(source);
        await records.deleteRecord(SYNC_STATUS_RECORD, source);
      }),
  };
}

function isSameInput(a: SourceRecord['input'], b: SourceRecord['input']): boolean {
  return a.digest === b.digest && a.settings === b.settings;
}

function writeStatus({ phase, lastSyncTime, lastAttemptTime, attempts, message }: SharedStatus): string {
  return JSON.stringify({ phase, lastSyncTime, lastAttemptTime, attempts, message });
}
