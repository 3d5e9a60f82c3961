import type { AuthConfig, ProviderConfig } from '../../sources/config/schema.ts';

/**
 * An identity provider as the checks of tokens need it. The registry's configuration requires issuer and audience; the
 * proxy of a workload may be given its keys or its introspection endpoint alone.
 */
export interface ProviderSettings extends Omit<ProviderConfig, 'issuerUrl' | 'audience'> {
  readonly issuerUrl?: string | undefined;
  readonly audience?: string | undefined;
}

type OauthConfig = NonNullable<AuthConfig['oauth']>;

/** `AuthConfig` with such providers. */
export interface AuthSettings extends Omit<AuthConfig, 'oauth'> {
  readonly oauth?:
    | (Omit<OauthConfig, 'providers'> & { readonly providers: readonly ProviderSettings[] })
    | undefined;
}
