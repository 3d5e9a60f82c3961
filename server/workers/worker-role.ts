import { setTimeout as delay } from 'node:timers/promises';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { listen } from '../listen.ts';
import type { Log } from '../observe/log.ts';
import type { ServerParts, ServerRole } from '../server-role.ts';
import { Channel, type Port } from './channel.ts';
import { followPrimary } from './follow-primary.ts';
import { IpcStore } from './ipc-store.ts';
import type { PrimaryCalls, WorkerCalls } from './process-calls.ts';
import { packFailure } from './sent-failure.ts';
import { ToldChanges } from './told-changes.ts';

/** A cluster that is not listed by then is served when it is. */
const OPEN_WITHIN_MS = 15_000;

/** A role, and what the primary process is to know and may ask. */
export interface WorkerRole {
  readonly role: ServerRole;
  /** Settles when the primary process wants the worker to end. */
  readonly drained: Promise<void>;
  /** Tells why the worker cannot start. */
  reportFailure(error: unknown): Promise<void>;
}

/**
 * The process that serves the main port beside others: the store is the primary's, bundles are opened from the shared
 * data directory, and it takes requests once it has what is there.
 * @param port to the primary process
 */
export function createWorkerRole(port: Port, log: Log): WorkerRole {
  const told = new ToldChanges(log);
  let parts: ServerParts | undefined;
  let drain = () => {};
  const drained = new Promise<void>((resolve) => {
    drain = resolve;
  });
  const own: WorkerCalls = {
    change: (change) => told.tell(change),
    refreshAll: () => told.tellGap(),
    readMissing: async () => parts?.service.listMissing() ?? [],
    readMetrics: async () => {
      if (!parts) throw new BerthError('not_started', 'The worker process is still starting.');
      return parts.metrics.read();
    },
    drain: async () => drain(),
  };
  const primary = new Channel<PrimaryCalls>(port, own);

  const role: ServerRole = {
    isWorker: true,
    readConfig: () => primary.call('readConfig'),
    countRequest: (subject, remoteAddress) => primary.call('countRequest', subject, remoteAddress),
    openStore: () => Promise.resolve(new IpcStore(primary)),
    linkOf: () => ({
      listenForChanges: (handlers) => told.listen(handlers),
      // The service notices by itself when the manifest of the shared directory changes.
      bundles: { listCurrent: () => Promise.resolve([]) },
    }),
    createSharing: () => followPrimary(primary),
    // What synchronisation does is recorded by the process that does it.
    createEvents: ({ metrics }) => ({
      onSynced: () => undefined,
      onFailed: (source, _status, error) => log.warn({ source: source.name }, error.describe()),
      onSwap: (_source, _segment, seconds) => metrics.observeSwap(seconds),
      onTrouble: (source, error) => log.error({ source }, messageOf(error)),
    }),
    serve: async (listener, address, made) => {
      parts = made;
      await Promise.race([made.service.start(), delay(OPEN_WITHIN_MS, undefined, { ref: false })]);
      await told.whenCaughtUp();
      const listening = await listen(listener, address, '--address');
      await primary.call('tellListening', listening.url);
      return listening;
    },
    listMissing: async () => [],
    exposeMetrics: (metrics) => metrics.expose(),
  };
  return {
    role,
    drained,
    reportFailure: (error) => primary.call('tellFailed', packFailure(error)).catch(() => undefined),
  };
}

/** The connection to the process that started this one. */
export function primaryPort(): Port {
  return {
    send: (message, onFailure) => {
      if (!process.send || !process.connected) {
        onFailure();
        return;
      }
      process.send(message, undefined, undefined, (error) => {
        if (error) onFailure();
      });
    },
    onMessage: (listen) => void process.on('message', listen),
  };
}
