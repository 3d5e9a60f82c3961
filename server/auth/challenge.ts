import type { AuthFailure } from './identity.ts';
import { METADATA_PATH, trimResourceUrl } from './protected-resource-metadata.ts';
import { refuse } from './refusal.ts';

export const DEFAULT_REALM = 'mcp-registry';

/** What a challenge says about the service; without `resourceUrl` the link to the metadata is left out. */
export interface ChallengeOptions {
  readonly realm: string;
  readonly resourceUrl?: string;
}

/**
 * The `WWW-Authenticate` value for a failure (contract 7): realm, error, description and the link to the RFC 9728
 * document. The error is always named, also when no token was sent.
 */
export function formatChallenge(failure: AuthFailure, { realm, resourceUrl }: ChallengeOptions): string {
  const parts = [
    `realm=${quote(realm)}`,
    `error=${quote(failure.failure)}`,
    `error_description=${quote(failure.description)}`,
  ];
  if (resourceUrl !== undefined) {
    parts.push(`resource_metadata=${quote(trimResourceUrl(resourceUrl) + METADATA_PATH)}`);
  }
  return `Bearer ${parts.join(', ')}`;
}

/** The `WWW-Authenticate` value of `GET /v1/me` in anonymous mode, where no provider can be named (contract 6). */
export function challengeWithoutProvider(): string {
  return formatChallenge(refuse('disabled'), { realm: DEFAULT_REALM });
}

function quote(text: string): string {
  // A header value takes visible ASCII only; a line break would start another header.
  const plain = text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[^\x20-\x7e]/g, '?');
  return `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}
