import type { ContainerInfo, ContainerSpec } from '../engine/engine.ts';
import type { ProxyLog } from '../proxy/proxy.ts';

/** What `openIsolation` needs beside the plan. */
export interface IsolationContext {
  /** Value of `LABELS.owner`: the state directory as a hash. */
  readonly owner: string;
  /** `BERTH_GATEWAY_IMAGE` is read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets one `warn` line per refused connection, with `host`, `port` and `reason`. */
  readonly log: ProxyLog;
  /** Host address that `-p` ports are bound to: the `--host` of the plan. A name is looked up. */
  readonly bindHost: string;
  /** Wins over `BERTH_GATEWAY_IMAGE`. */
  readonly gatewayImage?: string;
  readonly signal?: AbortSignal;
}

/** What the container of the server needs to sit in its network; to be spread into its `ContainerSpec`. */
export type ServerNetworking = Pick<
  ContainerSpec,
  'network' | 'networks' | 'env' | 'dns' | 'extraHosts' | 'publish'
>;

/** The way in and out of one running workload. */
export interface Isolation {
  /** True when a gateway stands between the server and everything else. */
  readonly isolated: boolean;
  /**
   * To be spread into the specification of the server's container; its `env` holds only the proxy variables and goes
   * over the user's own values.
   */
  readonly server: ServerNetworking;
  /**
   * Where the proxy on the host reaches the HTTP server. To be asked again after every start of the server.
   *
   * @throws BerthError `isolation_no_target` when the container has no such port or is not running
   */
  targetFor(server: ContainerInfo): { readonly host: string; readonly port: number };
  /** To be called after every start of the server's container. */
  afterServerStart(server: ContainerInfo): Promise<void>;
  /** Connections the gateway refused since it was opened. */
  refusals(): number;
  /**
   * Makes whole what an engine restart or a crash broke: networks, gateway, the following of its output. Does nothing
   * when nothing is broken. Events of the container with `LABELS.role` `gateway` tell when it is needed.
   */
  repair(): Promise<void>;
  /** Removes the gateway and the networks. The server's container has to be gone before. */
  close(): Promise<void>;
}
