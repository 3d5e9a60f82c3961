import type { Log } from '../observe/log.ts';
import { openStore } from '../overlay/open-store.ts';
import { SYNC_STATUS_RECORD } from '../replicas/share-sources.ts';
import { type ServerRole, shareWithReplicas } from '../server-role.ts';
import { recordServiceEvents } from '../service-events.ts';
import { BundleSegment } from '../view/bundle-segment.ts';
import { ChangeHub } from './change-hub.ts';
import { CollectedMetrics } from './collected-metrics.ts';
import { ToldChanges } from './told-changes.ts';
import { WorkerPool } from './worker-pool.ts';

/**
 * The process that keeps the store, fetches the sources and answers health and metrics for its workers, which serve
 * the main port.
 * @param size how many workers
 */
export function createPrimaryRole(size: number, log: Log): ServerRole {
  const hub = new ChangeHub(new ToldChanges(log));
  const collected = new CollectedMetrics();
  let pool: WorkerPool | undefined;
  const tellStatus = (name: string) =>
    void hub.announceToWorkers({ kind: 'record', type: SYNC_STATUS_RECORD, name });

  return {
    isWorker: false,
    openStore,
    linkOf: (store) => hub.linkFor(store.replicas),
    createSharing: shareWithReplicas,
    createEvents: (sinks) => {
      const events = recordServiceEvents(sinks);
      return {
        ...events,
        onSynced: (source, status, outcome, durationMs) => {
          events.onSynced(source, status, outcome, durationMs);
          tellStatus(source.name);
        },
        onFailed: (source, status, error, durationMs) => {
          events.onFailed(source, status, error, durationMs);
          tellStatus(source.name);
        },
        onSwap: (source, segment, seconds) => {
          events.onSwap(source, segment, seconds);
          if (segment instanceof BundleSegment) void hub.announceToWorkers({ kind: 'bundle', source });
        },
      };
    },
    serve: async (_listener, _address, parts) => {
      const started = new WorkerPool({
        ...parts,
        hub,
        size,
        log,
        onEnd: (worker) => collected.retire(worker),
      });
      pool = started;
      void parts.service.start();
      const url = await started.start();
      return { url, close: (graceMs) => started.close(graceMs) };
    },
    listMissing: async () => (pool ? pool.listMissing() : ['the worker processes are being started']),
    exposeMetrics: async (metrics) => {
      await pool?.readMetrics((worker, snapshot) => collected.take(worker, snapshot));
      return collected.expose(await metrics.read(), hub.live.length);
    },
  };
}
