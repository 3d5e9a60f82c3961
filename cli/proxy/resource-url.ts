import type { IncomingMessage } from 'node:http';
import type { Plan } from '../run/plan.ts';
import { choosePath, findPublicPlace } from './client-url.ts';

type ResourcePlan = Pick<Plan, 'proxy' | 'transport' | 'server' | 'oidc'>;

/** The protected resource: `--resource-url`, else the client URL (contract 8). */
export function findResourceUrl(request: IncomingMessage, plan: ResourcePlan): string {
  if (plan.oidc?.resourceUrl !== undefined) return plan.oidc.resourceUrl;
  const { origin, prefix } = findPublicPlace(request, plan.proxy);
  return `${origin}${prefix}${choosePath(plan)}`;
}

/** Where the metadata of that resource is found: its path goes behind the well-known one (RFC 9728, 3.1). */
export function findMetadataUrl(request: IncomingMessage, plan: ResourcePlan): string {
  const resource = findResourceUrl(request, plan);
  const { origin, pathname } = new URL(
    URL.canParse(resource) ? resource : findPublicPlace(request, plan.proxy).origin,
  );
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}
