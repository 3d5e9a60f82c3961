import { spawn } from 'node:child_process';
import { findCommand, ROOT } from './built-command.ts';
import { childEnvironment } from './child-environment.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The user to run as, when this one may choose. */
  readonly uid?: number;
  /** Milliseconds after which it is ended; 20 s when absent. */
  readonly timeout?: number;
}

/** Runs the built command to its end. */
export function runBerth(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [findCommand(), ...args], options);
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = ROOT, env = {}, timeout = 20_000, uid } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      ...(uid === undefined ? {} : { uid }),
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
