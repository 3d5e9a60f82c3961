import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { isLoopbackName } from '../../sources/net/address-guard.ts';
import { createGuardedFetch } from '../../sources/net/guarded-fetch.ts';
import type { Fetch } from './fetch-json.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Below the request time-out of the service, so that a silent provider gives 401 and not 504. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/**
 * The `fetch` for everything asked of one provider (contract 7): private addresses only with `allowPrivateIP`
 * (loopback also with `insecureAllowHttp`), plain http only to loopback or with `insecureAllowHttp`, `caCertPath`
 * trusted instead of the system's authorities. A CA file that changes counts from the next request.
 * @throws BerthError `provider_insecure`, `provider_ca_unreadable`, and those of `createGuardedFetch`
 */
export function createProviderFetch(provider: ProviderSettings, baseDir: string): Fetch {
  const build = (ca: string | undefined): Fetch =>
    createGuardedFetch({
      allowPrivate: provider.allowPrivateIP,
      allowLoopbackHttp: provider.insecureAllowHttp,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(ca === undefined ? {} : { ca }),
    });
  let current: { readonly ca: string | undefined; readonly fetch: Fetch } | undefined;
  return async (input, init) => {
    refusePlainHttp(input instanceof Request ? input.url : String(input), provider);
    const ca =
      provider.caCertPath === undefined ? undefined : await readCa(resolve(baseDir, provider.caCertPath));
    if (current === undefined || current.ca !== ca) current = { ca, fetch: build(ca) };
    return current.fetch(input, init);
  };
}

function refusePlainHttp(url: string, provider: ProviderSettings): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || provider.insecureAllowHttp || isLoopbackName(hostname)) return;
  throw new BerthError('provider_insecure', 'An identity provider is only asked over https.', {
    at: { url },
    fix: 'Use https, or set insecureAllowHttp: true for this provider.',
  });
}

async function readCa(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new BerthError('provider_ca_unreadable', `The CA file cannot be read (${messageOf(error)}).`, {
      at: { file },
      fix: 'Correct caCertPath or the permissions of the file.',
      cause: error,
    });
  });
}
