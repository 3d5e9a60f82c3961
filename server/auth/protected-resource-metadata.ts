import type { AuthConfig } from '../../sources/config/schema.ts';

/** Where the RFC 9728 document is served (specification 5.6). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The document of RFC 9728 (specification 2.7, contract 7). */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_documentation: string;
  readonly scopes_supported: readonly string[];
}

/**
 * Builds the protected-resource document.
 * @param registry the registry whose path-inserted location is asked for (`METADATA_PATH/registry/{name}`); it becomes
 *   the last part of `resource`. Whether such a registry exists is not checked, so the answer reveals nothing.
 */
export function describeProtectedResource(
  oauth: NonNullable<AuthConfig['oauth']>,
  registry?: string,
): ProtectedResourceMetadata {
  const base = trimResourceUrl(oauth.resourceUrl);
  return {
    resource: registry === undefined ? oauth.resourceUrl : `${base}/registry/${encodeURIComponent(registry)}`,
    authorization_servers: [...new Set(oauth.providers.map((provider) => provider.issuerUrl))],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base}/docs/api`,
    scopes_supported: ['mcp-registry:read', 'mcp-registry:write'],
  };
}

/** The resource URL as a prefix of paths: without query, fragment and trailing slashes. */
export function trimResourceUrl(resourceUrl: string): string {
  return resourceUrl.replace(/[?#].*$/s, '').replace(/\/+$/, '');
}
