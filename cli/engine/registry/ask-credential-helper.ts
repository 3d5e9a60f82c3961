import { execFile } from 'node:child_process';
import { z } from 'zod';

const answerSchema = z.looseObject({ Username: z.string(), Secret: z.string().min(1) });
/** A helper may unlock a keyring, but not hang a pull. */
const TIMEOUT_MS = 15_000;

/**
 * Asks `docker-credential-NAME` for the credentials of a server.
 *
 * @returns undefined when there is no such helper or it has none, so that the pull goes on without, as Docker's does
 */
export function askCredentialHelper(
  name: string,
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ username: string; password: string } | { identitytoken: string } | undefined> {
  // The name comes from a file and becomes part of a command.
  if (!/^[\w.-]+$/.test(name)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = execFile(
      `docker-credential-${name}`,
      ['get'],
      { env: { ...env }, timeout: TIMEOUT_MS },
      (error, stdout) => resolve(error ? undefined : readAnswer(stdout)),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(server);
  });
}

function readAnswer(stdout: string) {
  try {
    const { Username, Secret } = answerSchema.parse(JSON.parse(stdout));
    return Username === '<token>' ? { identitytoken: Secret } : { username: Username, password: Secret };
  } catch {
    return undefined;
  }
}
