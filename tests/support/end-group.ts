import type { ChildProcess } from 'node:child_process';
import { waitUntil } from './wait-until.ts';

/**
 * Ends a command with all it started, and waits until nothing of it is left.
 * @param child started as the head of a process group
 * @param ended when it is over
 */
export async function endGroup({ pid, exitCode }: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (pid === undefined || exitCode !== null) return;
  const signal = (name: NodeJS.Signals | 0) => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  signal('SIGTERM');
  await ended;
  await waitUntil(() => !signal(0), `nothing left of process group ${pid}`, 20_000).catch((error) => {
    signal('SIGKILL');
    throw error;
  });
}
