import type { Identity } from '../../auth/identity.ts';
import type { Runtime } from '../../runtime.ts';
import type { Viewer } from '../site-locals.ts';
import { readSignInSettings } from './sign-in-settings.ts';

/** Somebody without a token: in anonymous mode everybody is. */
export function makeUnnamedViewer({ loaded }: Runtime, identity: Identity | undefined): Viewer {
  return {
    kind: loaded.config.auth?.mode === 'anonymous' ? 'open' : 'stranger',
    name: '',
    subject: '',
    claims: {},
    roles: identity?.roles ?? [],
    unrestricted: identity?.unrestricted ?? false,
    expiresAt: undefined,
    canSignIn: readSignInSettings(loaded) !== undefined,
    csrf: '',
  };
}

/** Somebody whose token this registry takes. */
export function makeSignedInViewer(
  { loaded }: Runtime,
  identity: Identity,
  { name, csrf, expiresAt }: Pick<Viewer, 'name' | 'csrf' | 'expiresAt'>,
): Viewer {
  const held = [...identity.held].map(([key, values]) => [key, [...new Set(values)].sort()] as const);
  return {
    kind: 'signed-in',
    name,
    subject: identity.subject,
    claims: Object.fromEntries(held.sort(([a], [b]) => (a < b ? -1 : 1))),
    roles: identity.roles,
    unrestricted: identity.unrestricted,
    expiresAt: expiresAt ?? (Number.isFinite(identity.expiresAt) ? identity.expiresAt : undefined),
    canSignIn: readSignInSettings(loaded) !== undefined,
    csrf,
  };
}
