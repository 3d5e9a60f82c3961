import type { EventEmitter } from 'node:events';

/** A signal of a terminal may come twice at once: from the terminal and from a runner such as npm that passes it on. */
const SAME_SIGNAL_MS = 500;

/**
 * Settles when the process is asked to end. Whoever asks again later does not want to wait: the process ends at once.
 */
export function waitForSignal(
  owner: EventEmitter & Pick<NodeJS.Process, 'exit'>,
  now: () => number = Date.now,
): Promise<void> {
  let first: number | undefined;
  return new Promise((resolve) => {
    const take = () => {
      if (first === undefined) {
        first = now();
        resolve();
      } else if (now() - first >= SAME_SIGNAL_MS) {
        owner.exit(1);
      }
    };
    owner.on('SIGTERM', take);
    owner.on('SIGINT', take);
  });
}
