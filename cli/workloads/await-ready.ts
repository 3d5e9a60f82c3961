import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Backend } from '../proxy/exchange.ts';
import { type Clock, pause } from './clock.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** One question may hang while the server still starts. */
const QUESTION_MS = 30_000;

export interface ReadinessOptions {
  readonly clock: Clock;
  /** Aborted with the reason to throw: the server exited, or was told to stop. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How long each kind of refusal may last before it is final, by error code. Milliseconds; absent: to the end. */
  readonly patience: Readonly<Record<string, number>>;
  /** Codes that count as an answer: a server that wants the token of its caller cannot be asked without. */
  readonly goodEnough?: readonly string[];
}

/**
 * Asks until the server answers `initialize`.
 * @throws BerthError `server_not_ready` that names the time and the last refusal; the refusal itself when it is final;
 *   the reason of the signal
 */
export async function awaitReady(backend: Pick<Backend, 'probe'>, options: ReadinessOptions): Promise<void> {
  const { clock, timeoutMs, patience, goodEnough = [] } = options;
  const outOfTime = new AbortController();
  const cancel = clock.after(timeoutMs, () => outOfTime.abort());
  const signal = AbortSignal.any([options.signal, outOfTime.signal]);
  const begun = clock.now();
  let wait = FIRST_PAUSE_MS;
  let last: unknown;
  try {
    for (;;) {
      try {
        await askOnce(backend, clock, signal);
        return;
      } catch (error) {
        if (options.signal.aborted) throw options.signal.reason;
        if (outOfTime.signal.aborted) throw tooLate(timeoutMs, last);
        const code = error instanceof BerthError ? error.code : '';
        if (goodEnough.includes(code)) return;
        const limit = patience[code];
        if (limit !== undefined && clock.now() - begun >= limit) throw error;
        last = error;
      }
      await pause(clock, wait, signal);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  } finally {
    cancel();
  }
}

async function askOnce(backend: Pick<Backend, 'probe'>, clock: Clock, signal: AbortSignal): Promise<void> {
  const hung = new AbortController();
  const cancel = clock.after(QUESTION_MS, () => hung.abort());
  const both = AbortSignal.any([signal, hung.signal]);
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new BerthError('server_unreachable', 'The server does not answer.'));
    both.addEventListener('abort', stop, { once: true });
    if (both.aborted) stop();
  });
  try {
    // A backend that overlooks its signal must not hold up the start for ever.
    await Promise.race([backend.probe(both), aborted]);
  } finally {
    cancel();
    both.removeEventListener('abort', stop);
  }
}

function tooLate(timeoutMs: number, last: unknown): BerthError {
  const why = last === undefined ? '' : `: ${messageOf(last)}`;
  return new BerthError(
    'server_not_ready',
    `The server did not answer initialize within ${showDuration(timeoutMs)}${why.replace(/\.?$/, '.')}`,
    {
      fix: 'Check its arguments and --transport, or give it more time with --detach-timeout.',
      ...(last === undefined ? {} : { cause: last }),
    },
  );
}

function showDuration(ms: number): string {
  const seconds = ms / 1000;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
