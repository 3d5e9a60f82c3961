import type { Writable } from 'node:stream';

interface Owner {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly pid: number;
  readonly exit: (code?: number) => never;
  readonly kill: (pid: number, signal: 'SIGTERM') => unknown;
  readonly listenerCount: (event: 'SIGTERM') => number;
}

/**
 * Ends the process when its output cannot be written: without a word when whoever reads it has gone, as `head` does,
 * else with the reason. What clears up after itself when asked to end is asked to. Standard error that nobody reads
 * ends nothing: `berth run` would leave a workload that is half there.
 */
export function endQuietlyOnBrokenPipe(owner: Owner): void {
  let isEnding = false;
  owner.stderr.on('error', () => {});
  owner.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isEnding) return;
    isEnding = true;
    if (error.code !== 'EPIPE') {
      owner.stderr.write(`Standard output cannot be written (${error.code ?? error.message}).\n`);
      owner.exit(1);
    }
    if (owner.listenerCount('SIGTERM') === 0) owner.exit();
    owner.kill(owner.pid, 'SIGTERM');
  });
}
