import { UsageError } from '../usage-error.ts';

/** The network flags as they were given. */
export interface NetworkFlags {
  /** `--network`. */
  readonly network?: string | undefined;
  /** `--isolate-network`; undefined when it was not given. */
  readonly isolateNetwork?: boolean | undefined;
}

/** Modes that are the bridge network of the engine by another name. */
const BRIDGE_MODES = new Set(['', 'bridge', 'default']);

/** True when the network mode can be isolated. */
export function isBridgeMode(mode: string | undefined): boolean {
  return BRIDGE_MODES.has(mode ?? '');
}

/**
 * Decides whether a workload is isolated (specification 4.1, contract 4): isolation needs bridge networking, so any
 * other network drops it, with a warning of one line unless the user opted out himself.
 *
 * @throws UsageError when `--isolate-network` was asked for together with a network that cannot have it
 */
export function decideIsolation(flags: NetworkFlags): {
  readonly isolate: boolean;
  readonly warning?: string;
} {
  if (flags.isolateNetwork === false) return { isolate: false };
  if (isBridgeMode(flags.network)) return { isolate: true };
  const network = flags.network ?? '';
  if (flags.isolateNetwork === true) {
    throw new UsageError(
      `--isolate-network cannot be had together with --network ${network}: isolation needs bridge networking.`,
      { at: { flag: '--network' }, fix: 'Leave one of the two out.' },
    );
  }
  return {
    isolate: false,
    warning: `Network isolation is dropped: --network ${network} cannot be isolated, isolation needs bridge networking.`,
  };
}
