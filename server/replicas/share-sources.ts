import type { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { recordBundle } from '../../sources/bundle/manifest.ts';
import type { SourceSharing } from '../../sources/sync/source-sharing.ts';
import type { OverlayStore } from '../overlay/overlay-store.ts';
import type { ReplicaLink } from '../overlay/postgres/replica-link.ts';

/** Records that ask the leader of a source to fetch it; the name is the source, the content of no meaning. */
export const SYNC_REQUEST_RECORD = 'sync-request';

/**
 * The bundles of this process and those of the others: what the leader of a source compiled is stored in the database
 * by its hash, and followers put it into their own store (contract 10).
 */
export function shareSources(
  link: ReplicaLink,
  store: BundleStore,
  records: Pick<OverlayStore, 'putRecord'>,
  newId: () => string,
): SourceSharing {
  const shared = new Map<string, string>();

  return {
    tryLead: (source) => link.tryLockSource(source),

    push: async (source) => {
      const record = await store.readSource(source);
      const bundle = record?.bundles.find(({ hash }) => hash === record.current);
      if (!record || !bundle) return;
      const mark = `${record.current} ${record.input.digest} ${record.input.settings}`;
      if (shared.get(source) === mark) return;
      const bytes = await store.readBundle(source, bundle.hash);
      const times = await store.readTimesFile(source);
      await link.bundles.put({
        source,
        hash: bundle.hash,
        input: record.input,
        bytes,
        times,
        record: bundle,
      });
      shared.set(source, mark);
    },

    pull: async (source) => {
      const current = (await link.bundles.listCurrent()).find((one) => one.source === source);
      const own = await store.readSource(source);
      if (!current) return;
      const mark = `${current.hash} ${current.input.digest} ${current.input.settings}`;
      if (own?.current !== current.hash) {
        const found = await link.bundles.get(source, current.hash);
        if (!found) return;
        await store.writeBundle(source, found.bytes);
        if (found.times) await store.writeTimesFile(source, found.times);
        await store.updateSource(source, (before) => recordBundle(before, found.record, current.input));
      }
      shared.set(source, mark);
    },

    setCurrent: async (source, hash) => {
      shared.delete(source);
      await link.bundles.setCurrent(source, hash);
    },

    askLeader: (source) => records.putRecord(SYNC_REQUEST_RECORD, source, JSON.stringify({ id: newId() })),
  };
}
