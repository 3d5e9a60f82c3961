import { spawn } from 'node:child_process';
import { browse } from '../../cli/remote/authorization-server.ts';
import { findCommand } from '../../support/built-command.ts';
import { childEnvironment } from '../../support/child-environment.ts';
import type { Ran } from '../../support/run-command.ts';

const LIMIT_MS = 60_000;

/** Runs the built command without a terminal, and opens the link it prints as a person would. */
export function runAndLogIn(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran & { readonly link: string | undefined }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [findCommand(), ...words], {
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    const output = { stdout: '', stderr: '' };
    let link: string | undefined;
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
      if (link !== undefined) return;
      link = /link to log in:\n\s+(https?:\/\/\S+)\n/.exec(output.stderr)?.[1];
      if (link !== undefined) browse(link).catch(reject);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, link, ...output }));
  });
}
