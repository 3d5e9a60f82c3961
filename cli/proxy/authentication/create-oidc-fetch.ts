import type { Fetch } from '../../../server/auth/fetch-json.ts';
import { BerthError } from '../../../sources/errors.ts';
import { isLoopbackName } from '../../../sources/net/address-guard.ts';
import { createGuardedFetch } from '../../../sources/net/guarded-fetch.ts';
import { readCaBundle } from '../../read-ca-bundle.ts';
import type { OidcPlan } from '../../run/plan.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/**
 * The `fetch` for everything asked of the provider of `--oidc-*` (specification 5.1): private addresses, loopback
 * among them, only with `--jwks-allow-private-ip`; plain http only to loopback, or with `--oidc-insecure-allow-http`;
 * the authorities of `--berth-ca-bundle` besides those of the system.
 *
 * @param caBundle absolute path of a PEM file, read now
 * @throws BerthError `ca_bundle_unreadable`; of the fetch `oidc_insecure` and those of `createGuardedFetch`
 */
export function createOidcFetch(oidc: OidcPlan, caBundle: string | undefined): Fetch {
  const ca = readCaBundle(caBundle);
  const guarded = createGuardedFetch({
    allowPrivate: oidc.allowPrivateIp,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ...(ca === undefined ? {} : { ca }),
  });
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:' && !oidc.insecureAllowHttp && !isLoopbackName(hostname)) {
      throw new BerthError('oidc_insecure', 'An identity provider is only asked over https.', {
        at: { url },
        fix: 'Use https, or --oidc-insecure-allow-http for tests.',
      });
    }
    return guarded(input, init);
  };
}
