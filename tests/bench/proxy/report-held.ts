import { readdirSync } from 'node:fs';

/** What a process holds. */
export interface Held {
  /** Bytes in use after a collection of garbage. */
  readonly heap: number;
  /** Open files and sockets. */
  readonly descriptors: number;
  /** What keeps the loop of events alive: sockets, timers, processes. */
  readonly resources: number;
}

/** Tells the parent its port, answers each `look` of it, and ends with it. */
export function reportHeld(port: number): void {
  process.send?.(port);
  process.on('message', () => {
    globalThis.gc?.();
    const held: Held = {
      heap: process.memoryUsage().heapUsed,
      descriptors: readdirSync('/proc/self/fd').length,
      resources: process.getActiveResourcesInfo().length,
    };
    process.send?.(held);
  });
  process.on('disconnect', () => process.exit(0));
}
