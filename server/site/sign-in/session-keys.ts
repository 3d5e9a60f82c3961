import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LoadedConfig } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';
import { readSignInSettings } from './sign-in-settings.ts';

/** One key for each use, all from the same secret: what was sealed for one use opens for no other. */
export interface SessionKeys {
  readonly session: Uint8Array;
  readonly pending: Uint8Array;
  readonly form: Uint8Array;
}

const MIN_BYTES = 32;
const KEY_FILE = 'site-session.key';

/**
 * Opens the keys of sessions: from `site.signIn.sessionKeyFile`, else from a file in the data directory, which is made
 * once (0600) so that sessions outlive a restart.
 * @param warn told when the configuration lets several replicas run with keys of their own
 * @returns undefined when nobody signs in
 * @throws BerthError `session_key_unreadable`, `session_key_short`, `session_key_unwritable`
 */
export async function openSessionKeys(
  loaded: LoadedConfig,
  warn: (message: string) => void,
): Promise<SessionKeys | undefined> {
  if (readSignInSettings(loaded) === undefined) return undefined;
  const { config, baseDir, dataDir } = loaded;
  const configured = config.site.signIn?.sessionKeyFile;
  if (configured !== undefined) return deriveKeys(await readKeyFile(resolve(baseDir, configured)));
  if (config.database !== undefined) {
    warn(
      'site.signIn.sessionKeyFile is missing: another replica of this registry does not know the sessions of this one. Give all replicas the same file.',
    );
  }
  return deriveKeys(await readOrMakeKey(dataDir));
}

async function readKeyFile(file: string): Promise<Uint8Array> {
  const secret = await readFile(file).catch((cause: unknown) => {
    throw new BerthError('session_key_unreadable', 'The key of sessions cannot be read.', {
      at: { file },
      fix: 'Create the file named by site.signIn.sessionKeyFile and let this user read it.',
      cause,
    });
  });
  if (secret.byteLength >= MIN_BYTES) return secret;
  throw new BerthError('session_key_short', `The key of sessions has fewer than ${MIN_BYTES} bytes.`, {
    at: { file },
    fix: 'Write random bytes into it, such as those of: openssl rand -base64 48.',
  });
}

/** The key appears under its name whole or not at all: processes that start at once end up with the same one. */
async function readOrMakeKey(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, KEY_FILE);
  const made = `${file}.${randomBytes(8).toString('hex')}`;
  const known = await readFile(file).catch(() => undefined);
  if (known !== undefined) return readKeyFile(file);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(made, randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' });
    await link(made, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (cause) {
    throw new BerthError(
      'session_key_unwritable',
      'The key of sessions cannot be kept in the data directory.',
      {
        at: { file },
        fix: 'Let this user write dataDir, or name a key with site.signIn.sessionKeyFile.',
        cause,
      },
    );
  } finally {
    await rm(made, { force: true }).catch(() => undefined);
  }
  return readKeyFile(file);
}

function deriveKeys(secret: Uint8Array): SessionKeys {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', secret, '', `berth site ${use}`, 32));
  return { session: derive('session'), pending: derive('pending sign-in'), form: derive('form') };
}
