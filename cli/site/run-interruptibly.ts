import { Interruption } from '../workloads/interruption.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs what can be stopped: its signal is aborted when the process is asked to end. Whoever asks a second time ends the
 * process at once.
 */
export async function runInterruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => controller.abort(new Interruption(signal));
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
