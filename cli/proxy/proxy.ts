import type { Plan } from '../run/plan.ts';
import type { Backend, Contribution } from './exchange.ts';

/** One line of the proxy's log (`logs --proxy`). Fields never hold tokens or secrets. */
export type ProxyLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string,
) => void;

export interface ProxyOptions {
  /** Only `proxy`, `tools`, `transport`, `server`, `oidc`, `caBundle` and `name` are read. */
  readonly plan: Plan;
  readonly backend: Backend;
  /** In any order; their links are put in their places by `CHAIN_ORDER`. */
  readonly contributions: readonly Contribution[];
  readonly log: ProxyLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface Proxy {
  /** What clients are told: `http://host:port/mcp`, `…/sse`, or the path of a remote. No query. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, ends streams and waits for what is under way at most `graceMs`. */
  close(graceMs?: number): Promise<void>;
}
