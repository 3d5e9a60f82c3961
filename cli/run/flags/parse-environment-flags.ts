import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { readEnvDirectory, readEnvFile } from './read-env-files.ts';
import type { RunFlags } from './run-flags.ts';

const SECRET = /^([^,]+),target=([^=,\s]+)$/;

/**
 * The environment of the server: `-e` over `--env-file-dir` over `--env-file` (contract 8), and the secrets that
 * become variables. A `--secret` takes the place of a value from a file.
 * @throws UsageError, BerthError `file_unreadable`, `env_file_invalid`
 */
export function parseEnvironmentFlags(
  options: RunOptionValues,
  cwd: string,
): Pick<RunFlags, 'env' | 'secrets'> {
  const given = Object.fromEntries((options.env ?? []).map(readVariable));
  const secrets = Object.fromEntries((options.secret ?? []).map(readSecret));
  const both = Object.keys(secrets).find((variable) => variable in given);
  if (both !== undefined) {
    throw refuseFlag('--secret', `${both} is given by -e too.`, 'Leave one of the two out.');
  }
  const env = {
    ...(options.envFile === undefined ? {} : readEnvFile(options.envFile, cwd)),
    ...(options.envFileDir === undefined ? {} : readEnvDirectory(options.envFileDir, cwd)),
    ...given,
  };
  for (const variable of Object.keys(secrets)) delete env[variable];
  return { env, secrets };
}

function readVariable(given: string): [string, string] {
  const at = given.indexOf('=');
  const name = given.slice(0, Math.max(at, 0));
  // The value may be a secret, so that only the name is told.
  if (at < 0) throw refuseFlag('--env', `"${given.slice(0, 80)}" has no "=".`, 'Write KEY=VALUE.');
  if (!/^[^\s\0]+$/.test(name)) throw refuseFlag('--env', `"${name}" is no name of a variable.`);
  if (given.includes('\0')) throw refuseFlag('--env', `The value of ${name} holds a null character.`);
  return [name, given.slice(at + 1)];
}

function readSecret(given: string): [variable: string, secret: string] {
  const [, name, target] = SECRET.exec(given) ?? [];
  if (name === undefined || target === undefined || name.trim() === '') {
    throw refuseFlag('--secret', `"${given}" is not of the form NAME,target=VARIABLE.`);
  }
  return [target, name];
}
