import { request } from 'node:http';
import type { Clock } from './clock.ts';

const EVERY_MS = 10_000;
const AGAIN_MS = 2_000;
const TIMEOUT_MS = 4_000;
const FAILURES = 2;

export interface HealthTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

export interface HealthWatch {
  stop(): void;
}

/** Asks a server whether it answers; undefined while there is nothing to be asked. Never rejects. */
export type AskHealth = () => Promise<boolean> | undefined;

/**
 * Watches whether a server still answers.
 *
 * @param report called when it changes
 */
export function watchHealth(ask: AskHealth, clock: Clock, report: (healthy: boolean) => void): HealthWatch {
  let failures = 0;
  let stopped = false;
  let cancel = clock.after(EVERY_MS, look);
  function look(): void {
    const asked = ask();
    if (asked === undefined) {
      failures = 0;
      cancel = clock.after(EVERY_MS, look);
      return;
    }
    void asked.then((healthy) => {
      if (stopped) return;
      const before = failures;
      failures = healthy ? 0 : failures + 1;
      if (failures === FAILURES) report(false);
      if (healthy && before >= FAILURES) report(true);
      cancel = clock.after(failures > 0 ? AGAIN_MS : EVERY_MS, look);
    });
  }
  return {
    stop() {
      stopped = true;
      cancel();
    },
  };
}

/**
 * Whether an HTTP server answers. Any answer will do: it is asked with OPTIONS, which begins no session anywhere.
 */
export function answersHttp({ host, port, path }: HealthTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host, port, path, method: 'OPTIONS', agent: false, timeout: TIMEOUT_MS });
    asked.once('response', (response) => {
      response.destroy();
      resolve(true);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', () => resolve(false));
    asked.end();
  });
}
