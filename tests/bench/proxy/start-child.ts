import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Held } from './report-held.ts';

/** A server or proxy of the measurement, as a process of its own. */
export interface Child {
  readonly port: number;
  /** What it holds after a collection of garbage. */
  look(): Promise<Held>;
  stop(): Promise<void>;
}

/** Starts a script beside this file and waits for its port. */
export async function startChild(file: string, ...args: readonly string[]): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  });
  // Nothing this benchmark started outlives it, also when a row fails.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const [port] = await once(child, 'message');
  return {
    port: Number(port),
    async look() {
      const answered = once(child, 'message');
      child.send('look');
      const [held] = await answered;
      return held;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      process.off('exit', end);
    },
  };
}
