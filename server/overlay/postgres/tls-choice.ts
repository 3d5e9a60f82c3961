import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { messageOf } from '../../../sources/errors.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/**
 * Whether and how connections are encrypted, with the meaning `sslmode` has for PostgreSQL's own clients: `require`
 * encrypts without asking who answers (unless authorities are given), `verify-ca` checks the authority, `verify-full`
 * the host name too. `prefer` encrypts when the server can, and remembers when it cannot.
 */
export class TlsChoice {
  readonly #settings: Pick<ConnectionSettings, 'sslMode' | 'caFile'>;
  readonly #never: boolean;
  #plain = false;

  constructor({ sslMode, caFile, host }: Pick<ConnectionSettings, 'sslMode' | 'caFile' | 'host'>) {
    this.#settings = { sslMode, caFile };
    this.#never = sslMode === 'disable' || host.startsWith('/');
  }

  /** For the next connection. */
  options(): false | ConnectionOptions {
    if (this.#never || this.#plain) return false;
    const { sslMode, caFile } = this.#settings;
    const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') };
    if (sslMode === 'verify-full') return { ...ca, rejectUnauthorized: true };
    const verifies = sslMode === 'verify-ca' || (sslMode === 'require' && caFile !== undefined);
    if (!verifies) return { rejectUnauthorized: false };
    return { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined };
  }

  /** Looks at why connecting failed; true when another try will go the other way. */
  changeAfter(error: unknown): boolean {
    if (this.#settings.sslMode !== 'prefer' || this.#never) return false;
    const message = messageOf(error);
    if (this.#plain) {
      if (!message.includes('no encryption')) return false;
      this.#plain = false;
      return true;
    }
    this.#plain = message.includes('does not support SSL') || message.includes('SSL encryption');
    return this.#plain;
  }
}
