import type { ApiSource } from '../../config/schema.ts';
import { readSecret } from './read-secret.ts';
import { type AccessToken, requestToken } from './request-token.ts';

/** Gives the `Authorization` of requests to one registry. */
export interface Authorizer {
  /** The value to send; undefined for none. */
  authorize(): Promise<string | undefined>;
  /** Forgets a value that was answered with 401. False when another request would carry the same again. */
  renew(refused: string | undefined): boolean;
}

interface HeldToken extends AccessToken {
  readonly until: number;
}

/** Tokens obtained so far, shared by the fetches of a process. */
export type TokenStore = Map<string, Promise<HeldToken>>;

export interface AuthorizerOptions {
  readonly auth: ApiSource['auth'];
  /** The value made of credentials in the URL. */
  readonly basic: string | undefined;
  readonly baseDir: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly tokens: TokenStore;
  readonly now: () => number;
}

/** A token is given up this long before it ends, so that it does not end on its way. */
const MARGIN_MS = 30_000;

/** Makes the authorizer of a source: a token read from its file each time, a client credentials token, or none. */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { auth, baseDir, tokens, now } = options;
  const tokenFile = auth?.tokenFile;
  if (tokenFile !== undefined) {
    return {
      authorize: async () => `Bearer ${await readSecret(tokenFile, 'auth.tokenFile', baseDir)}`,
      renew: () => false,
    };
  }
  const client = auth?.clientCredentials;
  if (!client) return { authorize: async () => options.basic, renew: () => false };

  const key = JSON.stringify([baseDir, client]);
  let current: string | undefined;
  const obtain = () => {
    const pending = requestToken(client, baseDir, options.fetch, options.signal).then((token) => ({
      ...token,
      until: now() + token.lifetime - Math.min(MARGIN_MS, token.lifetime / 2),
    }));
    tokens.set(key, pending);
    pending.catch(() => {
      if (tokens.get(key) === pending) tokens.delete(key);
    });
    return pending;
  };
  return {
    async authorize() {
      const held = await (tokens.get(key) ?? obtain());
      const token = held.until > now() ? held : await obtain();
      current = `Bearer ${token.value}`;
      return current;
    },
    renew(refused) {
      // Another request may have renewed it already.
      if (refused === current) tokens.delete(key);
      return true;
    },
  };
}
