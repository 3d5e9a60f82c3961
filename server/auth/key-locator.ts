import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import type { ProviderSettings } from './provider-settings.ts';

const REMEMBERED_MS = 3_600_000;
const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Knows where a provider publishes its keys. */
export interface KeyLocator {
  /** @throws BerthError `provider_discovery` when the discovery document is unusable */
  locate(): Promise<string>;
  /** Asks discovery again next time. */
  forget(): void;
}

/**
 * Finds the JWKS URL of a provider (specification 5.2): `jwksUrl` as configured, else from the discovery document,
 * which must name exactly the configured issuer. Discovery is asked again after an hour.
 */
export function createKeyLocator(
  provider: Pick<ProviderSettings, 'issuerUrl' | 'jwksUrl'>,
  fetchDocument: (url: string) => Promise<unknown>,
  now: () => number,
): KeyLocator {
  let known: { readonly url: string; readonly until: number } | undefined;
  return {
    async locate() {
      if (provider.jwksUrl !== undefined) return provider.jwksUrl;
      if (provider.issuerUrl === undefined) {
        throw new BerthError('provider_discovery', 'Neither issuer nor key URL of the provider is known.');
      }
      // After the clock went back, the end of what is known is further away than it was ever set.
      const left = known === undefined ? 0 : known.until - now();
      if (known === undefined || left <= 0 || left > REMEMBERED_MS) {
        known = { url: await discover(provider.issuerUrl, fetchDocument), until: now() + REMEMBERED_MS };
      }
      return known.url;
    },
    forget() {
      known = undefined;
    },
  };
}

async function discover(
  issuerUrl: string,
  fetchDocument: (url: string) => Promise<unknown>,
): Promise<string> {
  const url = `${issuerUrl.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const document = discoverySchema.safeParse(await fetchDocument(url));
  if (!document.success) {
    throw new BerthError('provider_discovery', 'The discovery document has no usable issuer and jwks_uri.', {
      at: { url },
      fix: 'Correct issuerUrl, or set jwksUrl.',
    });
  }
  if (document.data.issuer !== issuerUrl) {
    throw new BerthError(
      'provider_discovery',
      'The discovery document names another issuer than issuerUrl.',
      {
        at: { url },
        fix: `Set issuerUrl to exactly ${JSON.stringify(document.data.issuer)} if that is the provider you mean.`,
      },
    );
  }
  return document.data.jwks_uri;
}
