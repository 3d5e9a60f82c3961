import { BerthError } from '../../sources/errors.ts';

/** Asked twice within this time is asked once: a terminal and a runner such as npm both pass a signal on. */
const SAME_MS = 500;

const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** That somebody asked the command to end. */
export class Interruption extends BerthError {
  readonly exitCode: number;

  constructor(signal: string) {
    super('interrupted', `Interrupted by ${signal}.`);
    this.name = 'Interruption';
    this.exitCode = EXIT_CODES[signal] ?? 130;
  }
}

/**
 * Aborts when the process is asked to end, so that what was begun can be cleared away. Whoever asks a second time does
 * not want to wait: the process ends at once.
 */
export function listenForInterruption(
  owner: Pick<NodeJS.Process, 'on' | 'exit'>,
  now: () => number = Date.now,
): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    owner.on(signal, () => {
      const interruption = new Interruption(signal);
      if (first === undefined) {
        first = now();
        controller.abort(interruption);
      } else if (now() - first >= SAME_MS) {
        owner.exit(interruption.exitCode);
      }
    });
  }
  return controller.signal;
}
