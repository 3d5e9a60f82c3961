import { createHmac } from 'node:crypto';

/**
 * `X-Berth-Signature`: HMAC-SHA256 over `timestamp.body` (contract 5), so that a recorded request cannot be sent
 * again later with a new time.
 * @param timestamp seconds since the epoch, as in `X-Berth-Timestamp`
 */
export function signPayload(secret: string, timestamp: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}
