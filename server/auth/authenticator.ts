import { hash } from 'node:crypto';
import { BerthError } from '../../sources/errors.ts';
import { isTokenText, sliceToken } from './bearer.ts';
import { challengeWithoutProvider, formatChallenge } from './challenge.ts';
import type { Fetch } from './fetch-json.ts';
import type { Authenticator, AuthResult } from './identity.ts';
import { ANYBODY, createIdentityMaker, makePasserBy } from './make-identity.ts';
import { type AuthLog, createProvider } from './provider.ts';
import { createProviderFetch } from './provider-fetch.ts';
import type { AuthSettings, ProviderSettings } from './provider-settings.ts';
import { isPublicPath } from './public-path.ts';
import { refuse } from './refusal.ts';
import { createRememberedTokens } from './remembered-tokens.ts';
import { validateToken } from './validate-token.ts';

/** Logged when tokens are required but `auth.authz` is absent (specification 5.13). */
export const AUTH_ONLY_WARNING =
  'Authorization not configured, per-entry claims filtering disabled (auth-only mode)';

const MAX_REMEMBERED = 50_000;

export interface AuthenticatorDeps {
  /** Absolute directory that relative paths of the configuration start from. */
  readonly baseDir: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The `fetch` for a provider; the guarded one of `createProviderFetch` when absent. */
  readonly fetchFor?: (provider: ProviderSettings) => Fetch;
  readonly log: AuthLog;
  /** The client secret for introspection, in the place of `clientSecretFile`; read at each use. */
  readonly readClientSecret?: () => Promise<string>;
  /** Identities hold all members of their token. */
  readonly keepsMembers?: boolean;
}

export interface RecallingAuthenticator extends Authenticator {
  /** How many requests were answered from remembered tokens (`registry_token_cache_hits_total`). */
  recalls(): number;
}

/**
 * Builds the authenticator for a configuration (specification 5, contract 7 and 12.10 to 12.12). Logs the auth-only
 * warning. Contacts no provider before its first token.
 *
 * A token that is presented must be valid, on public paths too: a 401 tells a client that its token has ended, where
 * an answer with less in it would not.
 * @param config undefined means mode `oauth`
 * @throws BerthError `auth_without_providers` when mode `oauth` has no provider
 */
export function createAuthenticator(
  config: AuthSettings | undefined,
  deps: AuthenticatorDeps,
): RecallingAuthenticator {
  if (config?.mode === 'anonymous') {
    return { authenticate: () => ANYBODY, challenge: challengeWithoutProvider, recalls: () => 0 };
  }
  const oauth = config?.oauth;
  if (config === undefined || oauth === undefined || oauth.providers.length === 0) {
    throw new BerthError('auth_without_providers', 'Mode oauth (the default) has no identity provider.', {
      fix: 'Add auth.oauth.providers, or set auth.mode: anonymous for development.',
    });
  }
  const { baseDir, log, now = Date.now, fetchFor = (one) => createProviderFetch(one, baseDir) } = deps;
  const { readClientSecret, keepsMembers } = deps;
  if (config.authz === undefined && keepsMembers !== true) log('warn', {}, AUTH_ONLY_WARNING);

  const providers = oauth.providers.map((one) =>
    createProvider(one, { fetch: fetchFor(one), baseDir, now, log, readClientSecret }),
  );
  const validation = { providers, makeIdentity: createIdentityMaker(config.authz, keepsMembers), now, log };
  const publicPaths = [...config.publicPaths, ...oauth.publicPaths];
  const passerBy = makePasserBy(config.authz);
  const remembered = createRememberedTokens(MAX_REMEMBERED, now);
  const underway = new Map<string, Promise<AuthResult>>();
  let recalls = 0;

  const meet = async (token: string, digest: string): Promise<AuthResult> => {
    try {
      const verdict = await validateToken(token, validation);
      if ('refused' in verdict) return refuse(verdict.refused);
      remembered.remember(digest, verdict);
      return verdict.identity;
    } finally {
      underway.delete(digest);
    }
  };
  return {
    authenticate(authorization, path) {
      if (authorization === undefined) return isPublicPath(path, publicPaths) ? passerBy : refuse('missing');
      const token = sliceToken(authorization);
      if (token === undefined) return refuse('malformed_header');
      const digest = hash('sha256', token, 'base64');
      const identity = remembered.recall(digest);
      if (identity !== undefined) {
        recalls += 1;
        return identity;
      }
      if (!isTokenText(token)) return refuse('malformed_header');
      const first = underway.get(digest) ?? meet(token, digest);
      if (!underway.has(digest)) underway.set(digest, first);
      return first;
    },
    challenge: (failure) => formatChallenge(failure, oauth),
    recalls: () => recalls,
  };
}
