import { z } from 'zod';
import { clearChunks, MAX_CHUNKED_LENGTH, readChunks, writeChunks } from './chunked-cookie.ts';
import { type CookieStyle, readCookies } from './cookies.ts';
import { seal, unseal } from './sealed-text.ts';
import type { SessionKeys } from './session-keys.ts';

/** After this a person signs in again, however often the session was refreshed. */
export const MAX_SESSION_MS = 7 * 24 * 3_600_000;

const sessionSchema = z.strictObject({
  /** Random; what forms are tied to. */
  id: z.string(),
  /** What one provider gave is never shown to another. */
  issuer: z.string(),
  clientId: z.string(),
  subject: z.string(),
  name: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** Kept for the sign-out at the provider. */
  idToken: z.string().optional(),
  /** When the access token ends, milliseconds since the epoch; absent when the provider did not tell. */
  expiresAt: z.number().optional(),
  signedInAt: z.number(),
});

/** What a browser holds for somebody who is signed in, encrypted. */
export type SignedInSession = z.infer<typeof sessionSchema>;

const nameCookie = ({ prefix }: CookieStyle) => `${prefix}berth-session`;

export interface FoundSession {
  /** Whether the browser sent anything that would be one. */
  readonly wasSent: boolean;
  readonly session: SignedInSession | undefined;
}

/** Reads the session of a request; one that is older than a week counts as none. */
export async function readSessionCookie(
  request: Request,
  keys: SessionKeys,
  style: CookieStyle,
  now: number,
): Promise<FoundSession> {
  const sealed = readChunks(readCookies(request), nameCookie(style));
  if (sealed === undefined) return { wasSent: false, session: undefined };
  const session = await unseal(sealed, keys.session, sessionSchema);
  const isOld = session !== undefined && now >= session.signedInAt + MAX_SESSION_MS;
  return { wasSent: true, session: isOld ? undefined : session };
}

/**
 * The `Set-Cookie` values of a session, which ends with the browser. Where there is not room for everything, the ID
 * token goes first, then the refresh token.
 * @param request whose cookies are replaced
 * @returns undefined when not even the access token fits
 */
export async function writeSessionCookie(
  request: Request,
  session: SignedInSession,
  keys: SessionKeys,
  style: CookieStyle,
): Promise<string[] | undefined> {
  const { idToken: _, ...withoutIdToken } = session;
  const { refreshToken: __, ...bare } = withoutIdToken;
  for (const kept of [session, withoutIdToken, bare]) {
    const sealed = await seal(kept, keys.session);
    if (sealed.length > MAX_CHUNKED_LENGTH) continue;
    return writeChunks(readCookies(request), nameCookie(style), sealed, style, undefined);
  }
  return undefined;
}

/** The `Set-Cookie` values that end the session of a request. */
export function clearSessionCookie(request: Request, style: CookieStyle): string[] {
  return clearChunks(readCookies(request), nameCookie(style), style);
}
