import type { Engine } from '../engine/engine.ts';
import type { Backend, Contribution } from '../proxy/exchange.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { Plan } from '../run/plan.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { AskHealth } from './check-health.ts';
import type { OpenPartsOptions } from './open-parts.ts';
import type { SupervisedLauncher } from './supervised-parts.ts';
import type { WorkloadState } from './workload-state.ts';

/** What opening a server needs, whatever its kind. */
export interface ServerContext {
  readonly options: OpenPartsOptions;
  readonly state: WorkloadState;
  readonly log: ProxyLog;
  readonly serverLog: (piece: Buffer) => void;
  readonly readSecret: (name: string) => Promise<string>;
  readonly secrets: SecretStore;
  /** A remote server wants another login. */
  readonly onUnauthenticated: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** The server of a workload, ready to be launched. */
export interface OpenedServer {
  /** The plan with what could only be found out now, such as the port an image exposes. */
  readonly plan: Plan;
  readonly engine: Engine | undefined;
  readonly launcher: SupervisedLauncher;
  readonly backend: Backend;
  /** Links that belong to this kind of server. */
  readonly contributions: readonly Contribution[];
  /** Absent for a server whose end the engine tells. */
  readonly askHealth?: AskHealth;
}
