import type { Fetch } from '../../auth/fetch-json.ts';
import { createProviderFetch } from '../../auth/provider-fetch.ts';
import type { ProviderSettings } from '../../auth/provider-settings.ts';
import { baseUrl } from '../../consumer/list-registries.ts';
import type { Runtime } from '../../runtime.ts';
import { type CookieStyle, chooseCookieStyle } from './cookies.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import type { SessionKeys } from './session-keys.ts';
import { readSignInSettings } from './sign-in-settings.ts';

/** What one request needs to sign in, out, or be recognised. */
export interface SignInContext {
  readonly client: ProviderClient;
  readonly keys: SessionKeys;
  /** Where people reach this service, without a slash at the end. */
  readonly base: string;
  readonly style: CookieStyle;
}

export interface ContextDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The `fetch` for a provider; the guarded one of `createProviderFetch` when absent. */
  readonly fetchFor?: ((provider: ProviderSettings) => Fetch) | undefined;
}

/** Finds what a request needs, undefined where nobody signs in. */
export type FindContext = (request: Request, runtime: Runtime) => SignInContext | undefined;

/** The client of a provider lives as long as the configuration it comes from. */
export function createContextFinder({ now, fetchFor }: ContextDeps): FindContext {
  const clients = new WeakMap<Runtime, ProviderClient | 'none'>();
  const makeClient = ({ loaded }: Runtime): ProviderClient | 'none' => {
    const settings = readSignInSettings(loaded);
    if (settings === undefined) return 'none';
    const { baseDir } = loaded;
    const fetch = fetchFor?.(settings.provider) ?? createProviderFetch(settings.provider, baseDir);
    return createProviderClient(settings, { fetch, baseDir, now });
  };
  return (request, runtime) => {
    const client = clients.get(runtime) ?? makeClient(runtime);
    clients.set(runtime, client);
    const { sessionKeys: keys } = runtime;
    if (client === 'none' || keys === undefined) return undefined;
    const base = baseUrl(runtime, request.url);
    return { client, keys, base, style: chooseCookieStyle(base) };
  };
}
