import type { Config } from '../../../sources/config/schema.ts';
import { readHeldClaims } from '../../auth/claims-of-token.ts';
import type { Identity } from '../../auth/identity.ts';
import { ANYBODY, makePasserBy } from '../../auth/make-identity.ts';
import { isPublicPath } from '../../auth/public-path.ts';

/** Whom a static export is made for. */
export interface Audience {
  readonly identity: Identity;
  /** Whether the API would answer them for this registry at all, rather than ask for a token. */
  readonly mayAsk: (registry: string) => boolean;
  /** What of the configuration decides, for people. */
  readonly reason: string;
}

/**
 * Whom the configuration lets see an export (contract 2, `site.audience`). The audience holds exactly its claims and no
 * role, whatever the rules of roles say. Without one it is whoever comes without a token: in anonymous mode they see
 * everything, else what is below public paths, where under authz no claims are held and so nothing is seen.
 */
export function readAudience({ auth, site }: Pick<Config, 'auth' | 'site'>): Audience {
  if (auth?.mode === 'anonymous')
    return {
      identity: ANYBODY,
      mayAsk: () => true,
      reason: 'anonymous mode, where everything is for everybody',
    };
  if (site.audience === undefined) {
    const publicPaths = [...(auth?.publicPaths ?? []), ...(auth?.oauth?.publicPaths ?? [])];
    return {
      identity: makePasserBy(auth?.authz),
      mayAsk: (registry) => isPublicPath(`/registry/${registry}/v0.1`, publicPaths),
      reason: 'no site.audience, so what is seen without a token',
    };
  }
  const isFiltered = auth?.authz !== undefined;
  return {
    identity: {
      subject: '',
      held: readHeldClaims(site.audience),
      roles: [],
      unrestricted: !isFiltered,
      superAdmin: false,
      anonymous: false,
      expiresAt: Number.POSITIVE_INFINITY,
    },
    mayAsk: () => true,
    reason: isFiltered
      ? 'site.audience'
      : 'site.audience, and without auth.authz whoever has a token sees everything',
  };
}
