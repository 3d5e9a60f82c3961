import { spawn } from 'node:child_process';
import { BerthError } from '../../sources/errors.ts';
import { refuseWriting } from './refuse-writing.ts';
import type { SecretStore } from './secret-store.ts';

/** Unlocking may ask the user for a finger on the reader. */
const TIMEOUT_MS = 60_000;
/** What `op` says of a reference that leads nowhere, as opposed to being signed out or offline. */
const NOTHING_THERE =
  /isn't (an item|a vault|a field)|could not find|no item|not found|does not (exist|have)|doesn't exist/i;

/** Secrets of 1Password through its `op` command; names are references such as `op://vault/item/field`. */
export class OnePasswordStore implements SecretStore {
  readonly provider = '1password';
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** @throws BerthError `secret_reference_invalid`, `secrets_op_missing`, `secrets_op_failed` */
  async get(name: string): Promise<string | undefined> {
    if (!/^op:\/\/[^/]+\/[^/]+\/./.test(name)) {
      throw new BerthError(
        'secret_reference_invalid',
        `"${name}" is no reference to a secret of 1Password.`,
        {
          fix: 'Write it as op://vault/item/field.',
        },
      );
    }
    const { code, out, err } = await runOp(['read', name], this.#env);
    if (code === 0) return out.replace(/\r?\n$/, '');
    if (NOTHING_THERE.test(err)) return undefined;
    throw new BerthError(
      'secrets_op_failed',
      `1Password does not give the secret "${name}": ${firstLine(err)}`,
      {
        fix: 'Try "op read" with the same reference; "op signin" or OP_SERVICE_ACCOUNT_TOKEN signs in.',
      },
    );
  }

  async set(name: string): Promise<void> {
    refuseWriting(this.provider, name, 'Set it in 1Password.');
  }

  async remove(name: string): Promise<boolean> {
    return refuseWriting(this.provider, name, 'Remove it in 1Password.');
  }

  async list(): Promise<readonly string[]> {
    throw new BerthError('secrets_no_list', 'The secrets of 1Password are not listed here.', {
      fix: 'Use "op item list".',
    });
  }
}

/**
 * Finds out whether there is an op command.
 * @throws BerthError `secrets_op_missing`
 */
export async function checkOp(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  await runOp(['--version'], env);
}

function runOp(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('op', words, {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (cause) => {
      reject(
        new BerthError('secrets_op_missing', 'The op command of 1Password cannot be run.', {
          fix: 'Install the 1Password command-line tool, so that "op" is in the PATH.',
          cause,
        }),
      );
    });
    child.on('close', (code) => {
      resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') });
    });
  });
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.slice(0, 300) ?? '';
  return line === '' ? 'op ended without saying why.' : line;
}
