import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { BundleStore } from '../sources/bundle/bundle-store.ts';
import type { LoadedConfig } from '../sources/config/schema.ts';
import type { SourceSharing } from '../sources/sync/source-sharing.ts';
import type { CountRequest } from './http/rate-limit.ts';
import { type Listening, listen } from './listen.ts';
import type { Log } from './observe/log.ts';
import type { Exposition, Metrics } from './observe/metrics.ts';
import { type OpenedStore, openStore } from './overlay/open-store.ts';
import type { ReplicaLink } from './overlay/postgres/replica-link.ts';
import type { ListenAddress } from './parse-address.ts';
import type { RegistryService, ServiceEvents } from './registry-service.ts';
import { shareSources } from './replicas/share-sources.ts';
import { type EventSinks, recordServiceEvents } from './service-events.ts';

/** Where changes by others are told. */
export interface ChangeLink extends Pick<ReplicaLink, 'listenForChanges'> {
  /** The bundles to look at again after a gap. */
  readonly bundles: { listCurrent(): Promise<readonly { readonly source: string }[]> };
}

/** What is there when the main port is about to be opened. */
export interface ServerParts {
  readonly store: OpenedStore;
  readonly service: RegistryService;
  readonly metrics: Metrics;
  readonly loaded: () => LoadedConfig;
  readonly countRequest: () => CountRequest | undefined;
}

/** What differs between a process that is the whole service and one of several that form it. */
export interface ServerRole {
  /** True in a process that another one starts, configures and speaks for. */
  readonly isWorker: boolean;
  /** The configuration to start with, when it does not come from the file. */
  readonly readConfig?: () => Promise<LoadedConfig>;
  /** Replaces the limit per caller of this process. */
  readonly countRequest?: CountRequest;
  openStore(loaded: LoadedConfig, log: Log): Promise<OpenedStore>;
  linkOf(store: OpenedStore): ChangeLink | undefined;
  /** How the work on sources is shared; undefined when this process does all of it. */
  createSharing(store: OpenedStore, dataDir: string): SourceSharing | undefined;
  createEvents(sinks: EventSinks): ServiceEvents;
  /** Serves the main port, here or in other processes, and starts synchronising. */
  serve(
    listener: RequestListener,
    address: ListenAddress,
    parts: ServerParts,
  ): Promise<Pick<Listening, 'url' | 'close'>>;
  /** What other processes lack to answer requests. */
  listMissing(): Promise<readonly string[]>;
  exposeMetrics(metrics: Metrics): Promise<Exposition>;
}

/** With PostgreSQL other machines may be part of the registry. */
export function shareWithReplicas(store: OpenedStore, dataDir: string): SourceSharing | undefined {
  if (!store.replicas) return undefined;
  return shareSources(store.replicas, new BundleStore(join(dataDir, 'bundles')), store, randomUUID);
}

/** One process does everything. */
export const SINGLE_PROCESS: ServerRole = {
  isWorker: false,
  openStore,
  linkOf: (store) => store.replicas,
  createSharing: shareWithReplicas,
  createEvents: recordServiceEvents,
  serve: async (listener, address, { service }) => {
    const listening = await listen(listener, address, '--address');
    void service.start();
    return listening;
  },
  listMissing: async () => [],
  exposeMetrics: (metrics) => metrics.expose(),
};
