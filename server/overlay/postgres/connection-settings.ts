import { resolve } from 'node:path';
import type { Config } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';

export type DatabaseConfig = NonNullable<Config['database']>;
export type SslMode = NonNullable<DatabaseConfig['sslMode']>;

/** Where the database is, who connects, and how many connections there may be. */
export interface ConnectionSettings {
  /** A host name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Read from a file at each connect; absent when the database asks for none. */
  readonly password: string | { readonly file: string } | undefined;
  readonly sslMode: SslMode;
  /** Absolute path of a file with certificate authorities. */
  readonly caFile: string | undefined;
  /** All connections of this process together. */
  readonly maxConnections: number;
  /** Connections kept open when idle. */
  readonly keptConnections: number;
  /** Milliseconds after which a connection is replaced. */
  readonly maxLifetime: number | undefined;
}

const DEFAULT_PORT = 5432;
const DEFAULT_MAX_CONNECTIONS = 10;
const SSL_MODES: readonly SslMode[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const URL_PARAMETERS = ['sslmode', 'sslrootcert', 'host', 'port', 'user', 'password', 'dbname'];

/**
 * Reads the `database` block (contract 2). Keys of their own win over what the `url` says; TLS is used when the server
 * offers it (`prefer`) unless something else is asked for.
 * @param baseDir where relative paths start (absolute)
 * @throws BerthError `database_invalid`
 */
export function readConnectionSettings(config: DatabaseConfig, baseDir: string): ConnectionSettings {
  const url = config.url === undefined ? undefined : readUrl(config.url);
  const user = config.user ?? url?.user;
  if (!user) throw invalid('it names no user', 'Set database.user.');
  const password =
    config.password ??
    (config.passwordFile === undefined ? url?.password : { file: resolve(baseDir, config.passwordFile) });
  return {
    host: config.host ?? url?.host ?? 'localhost',
    port: config.port ?? url?.port ?? DEFAULT_PORT,
    user,
    database: config.database ?? url?.database ?? user,
    password,
    sslMode: config.sslMode ?? url?.sslMode ?? 'prefer',
    caFile: url?.caFile === undefined ? undefined : resolve(baseDir, url.caFile),
    maxConnections: config.maxOpenConns ?? DEFAULT_MAX_CONNECTIONS,
    keptConnections: config.maxIdleConns ?? 0,
    maxLifetime: config.connMaxLifetime,
  };
}

/** The same database as the user of migrations, when the block names one. */
export function readMigrationSettings(config: DatabaseConfig, baseDir: string): ConnectionSettings {
  const settings = readConnectionSettings(config, baseDir);
  if (config.migrationUser === undefined) return settings;
  return { ...settings, user: config.migrationUser, password: config.migrationPassword };
}

/** Host, port and database for messages. */
export function describeDatabase({ host, port, database }: ConnectionSettings): string {
  return `${database} on ${host.startsWith('/') ? host : `${host}:${port}`}`;
}

interface UrlSettings {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly sslMode?: SslMode;
  readonly caFile?: string;
}

function readUrl(text: string): UrlSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw invalid(
      'its url is no PostgreSQL URL',
      'Write postgres://user:password@host:5432/database.',
      'url',
    );
  }
  const parameters = new Map(url.searchParams);
  for (const name of parameters.keys()) {
    if (URL_PARAMETERS.includes(name)) continue;
    throw invalid(`its url has the parameter ${name}`, `Use only ${URL_PARAMETERS.join(', ')}.`, 'url');
  }
  const port = Number(parameters.get('port') || url.port || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw invalid('its url has no valid port', 'Use 5432.', 'url');
  const given = {
    host: parameters.get('host') || decode(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    user: parameters.get('user') || decode(url.username),
    password: parameters.get('password') || decode(url.password),
    database: parameters.get('dbname') || decode(url.pathname.slice(1)),
    caFile: parameters.get('sslrootcert'),
  };
  const mode = parameters.get('sslmode');
  const sslMode = SSL_MODES.find((known) => known === mode);
  if (mode !== undefined && !sslMode)
    throw invalid(`its url has sslmode=${mode}`, `Use one of ${SSL_MODES.join(', ')}.`, 'url');
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    port,
    ...(sslMode ? { sslMode } : {}),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(
      'its url holds a percent sign that encodes nothing',
      'Write %25 for a percent sign.',
      'url',
    );
  }
}

function invalid(what: string, fix: string, key?: string): BerthError {
  return new BerthError('database_invalid', `The block database cannot be used: ${what}.`, {
    at: { flag: key === undefined ? 'database' : `database.${key}` },
    fix,
  });
}
