import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * Whether a delivery was made by somebody who knows the secret: GitHub and Gitea sign the body (HMAC-SHA256 in
 * `X-Hub-Signature-256`), GitLab sends the secret itself (`X-Gitlab-Token`). A signature that is present decides alone.
 * Both comparisons take the same time for every wrong value.
 */
export function verifySignature(
  header: (name: string) => string | undefined,
  body: Uint8Array,
  secret: string,
): boolean {
  const signature = header('x-hub-signature-256');
  if (signature !== undefined) {
    const presented = SIGNATURE.exec(signature)?.[1];
    if (presented === undefined) return false;
    return timingSafeEqual(Buffer.from(presented, 'hex'), createHmac('sha256', secret).update(body).digest());
  }
  const token = header('x-gitlab-token');
  return token !== undefined && timingSafeEqual(digest(token), digest(secret));
}

/** Digests have one length, which timingSafeEqual asks for and which hides the length of the secret. */
function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
