import type { Config, LoadedConfig, ProviderConfig } from '../../../sources/config/schema.ts';

/** `site.signIn` with everything it leaves out filled in. */
export interface SignInSettings {
  readonly provider: ProviderConfig;
  readonly clientId: string;
  /** As configured, relative to the directory of the configuration; undefined for a public client. */
  readonly clientSecretFile: string | undefined;
  readonly scope: string;
  /** RFC 8707; undefined when none is sent. */
  readonly resource: string | undefined;
}

/**
 * How people sign in to the site; undefined when they do not: no `site.signIn`, mode anonymous, or the pages are turned
 * off. The rules of the configuration have made sure that a provider and a client are there.
 */
export function readSignInSettings({ config }: Pick<LoadedConfig, 'config'>): SignInSettings | undefined {
  const { site, auth } = config;
  const { signIn } = site;
  if (!site.enabled || signIn === undefined || auth?.mode !== 'oauth' || auth.oauth === undefined) {
    return undefined;
  }
  const provider = chooseProvider(auth.oauth.providers, signIn);
  const clientId = signIn.clientId ?? provider?.clientId;
  if (provider === undefined || clientId === undefined) return undefined;
  const { resource } = signIn;
  return {
    provider,
    clientId,
    clientSecretFile: signIn.clientId === undefined ? provider.clientSecretFile : signIn.clientSecretFile,
    scope: signIn.scope,
    resource: resource === 'none' ? undefined : (resource ?? auth.oauth.resourceUrl),
  };
}

function chooseProvider(
  providers: readonly ProviderConfig[],
  { provider }: NonNullable<Config['site']['signIn']>,
): ProviderConfig | undefined {
  return provider === undefined ? providers[0] : providers.find(({ name }) => name === provider);
}
