/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls once, later; answers how to forget it. */
  after(ms: number, call: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits; ends early, without an error, when the signal is aborted. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    function end() {
      cancel();
      resolve();
    }
    signal?.addEventListener('abort', end, { once: true });
  });
}
