import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionKeys } from './session-keys.ts';

/** What every form of a session carries: nobody who cannot read its pages knows it. */
export function makeFormToken(sessionId: string, keys: SessionKeys): string {
  return createHmac('sha256', keys.form).update(sessionId).digest('base64url');
}

/** Whether two form tokens are the same, in a time that tells nothing about where they differ. */
export function equalFormTokens(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
