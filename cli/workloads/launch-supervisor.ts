import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { BerthError } from '../../sources/errors.ts';
import { StartFailure } from './start-failure.ts';
import { supervisorMessageSchema, unpackError } from './supervisor-messages.ts';

/** The supervisor keeps the time itself; this is for one that does not come to it. */
const SLACK_MS = 60_000;
/** Megabytes of young objects. Node would take 16 for each half, and a supervisor that mostly waits keeps them all. */
const SMALL_HEAP = '--max-semi-space-size=2';

export interface LaunchOptions {
  readonly name: string;
  /** How long the server may take to answer. */
  readonly timeoutMs: number;
  /** Forget the workload when it cannot be started, as `run` does; otherwise its state says why. */
  readonly discard: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted to give up waiting: the supervisor then clears away what it began. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** A line for the person, terminal or not. */
  readonly onNote: (text: string) => void;
}

/**
 * Starts the supervisor of a workload as a process of its own session and waits until the server answers.
 * @throws StartFailure with the last lines of the server; the reason of the signal
 */
export async function launchSupervisor(options: LaunchOptions): Promise<void> {
  const { name, timeoutMs, discard, env, signal } = options;
  signal.throwIfAborted();
  const script = realpathSync(process.argv[1] ?? '');
  const words = ['supervise', name, '--timeout', String(timeoutMs), ...(discard ? ['--discard'] : [])];
  const child = spawn(
    process.execPath,
    [...process.execArgv.filter((word) => word !== '--'), SMALL_HEAP, '--', script, ...words],
    // Not in the directory of the user, which may be removed or unmounted while the workload lives.
    { cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env },
  );
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => reject(error);
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail(new StartFailure(new BerthError('supervisor_silent', 'The supervisor does not answer.'), ''));
      }, timeoutMs + SLACK_MS);
      signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
      child.once('error', fail);
      child.once('exit', (code, killed) => {
        if (signal.aborted) return fail(signal.reason);
        const how = killed ?? `exit code ${code}`;
        fail(new StartFailure(new BerthError('supervisor_ended', `The supervisor ended (${how}).`), ''));
      });
      child.on('message', (sent) => {
        const message = supervisorMessageSchema.parse(sent);
        if (message.kind === 'progress') options.onProgress(message.text);
        else if (message.kind === 'note') options.onNote(message.text);
        else if (message.kind === 'ready') resolve();
        else if (!signal.aborted) fail(new StartFailure(unpackError(message.failure), message.logTail));
      });
    });
  } finally {
    clearTimeout(timer);
    child.removeAllListeners();
    if (child.connected) child.disconnect();
    child.unref();
  }
}
