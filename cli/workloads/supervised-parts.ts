import type { BerthError } from '../../sources/errors.ts';
import type { ContainerEvent, Engine } from '../engine/engine.ts';
import type { ProxyLog, Proxy as RunningProxy } from '../proxy/proxy.ts';
import type { AskHealth } from './check-health.ts';
import type { ServerLauncher } from './server-keeper.ts';
import type { WorkloadState } from './workload-state.ts';

/** What a running workload is made of. The proxy listens already; the server is not started yet. */
export interface SupervisedParts {
  /** Value of `LABELS.owner`. */
  readonly owner: string;
  /** undefined for a remote server. */
  readonly engine: Engine | undefined;
  readonly launcher: SupervisedLauncher;
  /** Settles when the server answers MCP. */
  awaitReady(signal: AbortSignal): Promise<void>;
  readonly proxy: Pick<RunningProxy, 'url' | 'port'>;
  readonly log: ProxyLog;
  /** Absent for a server whose end the engine tells. */
  readonly askHealth?: AskHealth;
  /** Called once, when the server answered for the first time. */
  onReady(state: WorkloadState): Promise<void>;
  /** Whom to tell that a remote server wants another login. */
  onUnauthenticated(listener: (reason: string) => void): void;
  /** Ends all of it: streams of clients, container, sidecars, entries in AI clients, telemetry, logs. */
  close(): Promise<void>;
}

export interface SupervisedLauncher extends ServerLauncher {
  /** Answers why when the event says that the server ended. */
  takeEvent?(event: ContainerEvent): Promise<BerthError | undefined>;
  /** The gateway has to be made whole. */
  reconnect?(): Promise<void>;
}
