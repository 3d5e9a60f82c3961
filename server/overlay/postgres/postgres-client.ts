import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { BerthError } from '../../../sources/errors.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { TlsChoice } from './tls-choice.ts';

export const CONNECT_TIMEOUT_MS = 5000;
export const STATEMENT_TIMEOUT_MS = 10_000;
/** When the database itself does not stop a statement, because it hangs or the network does. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1000;
const KEEP_ALIVE_MS = 5000;

/**
 * A client whose password is read and whose encryption is chosen at each connect. For a pool, which makes one for every
 * connection.
 */
export function createClientClass(
  settings: ConnectionSettings,
  tls: TlsChoice,
  connectTimeout = CONNECT_TIMEOUT_MS,
) {
  return class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({
        ...options,
        host: settings.host,
        port: settings.port,
        user: settings.user,
        database: settings.database,
        password: passwordOf(settings),
        ssl: tls.options(),
        application_name: 'berth',
        connectionTimeoutMillis: connectTimeout,
        query_timeout: ANSWER_TIMEOUT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      });
    }
  };
}

/**
 * Sets what every session relies on: a limit for statements and for transactions left open, and that a commit is on the
 * disk when it is answered, whatever the database's own defaults are.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SELECT set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $1, false),
      set_config('default_transaction_isolation', 'read committed', false),
      set_config('synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`,
    [String(STATEMENT_TIMEOUT_MS)],
  );
}

export interface ConnectOptions {
  /** Called once when the connection broke; not when it was ended. */
  readonly onLost?: (error: Error) => void;
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * A connection outside the pool.
 * @throws the library's own error
 */
export async function connectClient(
  settings: ConnectionSettings,
  tls: TlsChoice,
  { onLost = () => {}, timeout }: ConnectOptions = {},
): Promise<pg.Client> {
  const ClientOfSettings = createClientClass(settings, tls, timeout);
  const connect = async (): Promise<pg.Client> => {
    const client = new ClientOfSettings();
    // An error without a listener would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await prepareSession(client);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    return client;
  };
  const client = await connect().catch((error) => {
    if (!tls.changeAfter(error)) throw error;
    return connect();
  });
  client.once('error', onLost);
  return client;
}

function passwordOf({ password }: ConnectionSettings): string | (() => Promise<string>) | undefined {
  if (typeof password !== 'object') return password;
  return () => readPassword(password.file);
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new BerthError('secret_unreadable', 'The file database.passwordFile names cannot be read.', {
      at: { file },
      fix: 'Put the password into it as one line and let the service read it.',
      cause,
    });
  }
}
