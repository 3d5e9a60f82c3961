import { z } from 'zod';
import { type CookieStyle, clearCookie, readCookies, writeCookie } from './cookies.ts';
import { seal, unseal } from './sealed-text.ts';
import type { SessionKeys } from './session-keys.ts';

const LIFETIME_S = 600;

const pendingSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Of the provider it was begun with. */
  issuer: z.string(),
  redirectUri: z.string(),
  returnPath: z.string(),
  /** Milliseconds since the epoch. */
  endsAt: z.number(),
});

/** A sign-in that was begun: known to the browser that began it, and to no other. */
export type PendingSignIn = z.infer<typeof pendingSchema>;

const nameCookie = ({ prefix }: CookieStyle) => `${prefix}berth-sign-in`;

/** The `Set-Cookie` value that keeps a sign-in for ten minutes. */
export async function writePending(
  pending: Omit<PendingSignIn, 'endsAt'>,
  keys: SessionKeys,
  style: CookieStyle,
  now: number,
): Promise<string> {
  const sealed = await seal({ ...pending, endsAt: now + LIFETIME_S * 1000 }, keys.pending);
  return writeCookie(nameCookie(style), sealed, style, LIFETIME_S);
}

/** The sign-in this browser began; undefined when there is none, or it took too long. */
export async function readPending(
  request: Request,
  keys: SessionKeys,
  style: CookieStyle,
  now: number,
): Promise<PendingSignIn | undefined> {
  const sealed = readCookies(request).get(nameCookie(style));
  const pending = sealed === undefined ? undefined : await unseal(sealed, keys.pending, pendingSchema);
  return pending !== undefined && now < pending.endsAt ? pending : undefined;
}

/** The `Set-Cookie` value that ends a sign-in, finished or not. */
export function clearPending(style: CookieStyle): string {
  return clearCookie(nameCookie(style), style);
}
