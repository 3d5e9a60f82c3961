import type { Plan } from '../../run/plan.ts';
import type { ProxyLog } from '../proxy.ts';

export interface HttpBackendOptions {
  /** Where the server is, with path and query; undefined while it is away. Asked for each request. */
  readonly target: () => URL | undefined;
  readonly transport: 'streamable-http' | 'sse';
  /** What clients were promised about the proxy itself. */
  readonly proxy: Plan['proxy'];
  /** A server of somebody else: it is told less about us. */
  readonly isRemote: boolean;
  readonly log: ProxyLog;
  /** `Host` for the server; that of the target when absent. */
  readonly hostHeader?: string;
  /**
   * Headers that authenticate us, lower case, for each request (the server's own probes too). Rejects while they
   * cannot be had: clients then get 503.
   */
  readonly credentials?: () => Promise<Readonly<Record<string, string>>>;
  /** Told the challenge of each 401 of the server, or of the second one where credentials could be renewed. */
  readonly onUnauthorized?: (challenge: string | undefined) => void;
  /**
   * Renews credentials the server refused; answers whether it may be asked once more with them. Where this is, a
   * client never sees the 401, which is about us and not about it, but 503.
   */
  readonly renewCredentials?: (() => Promise<boolean>) | undefined;
  /** PEM of authorities trusted besides those of the system. */
  readonly ca?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}
