import type { Role } from '../../auth/identity.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { ApiRefusal } from './api-refusal.ts';
import { listRegistries, listSources, type RegistryLines, type SourceLines } from './list-declared.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';

/** `/admin`: what there is to administer for this viewer. */
export interface OverviewPage {
  readonly roles: readonly Role[];
  /** Undefined for whom the API does not show them. */
  readonly sources: SourceLines | undefined;
  readonly registries: RegistryLines | undefined;
  readonly mayPublish: boolean;
  readonly mayExplain: boolean;
}

/** @throws ApiRefusal for somebody without a role */
export async function showOverview(
  context: AdminContext,
  _request: PageRequest,
): Promise<PageAnswer<OverviewPage>> {
  const { viewer } = context;
  if (viewer.roles.length === 0) throw refuseWithoutRole(context);
  const [sources, registries] = await Promise.all([
    holds(viewer, 'manageSources') ? listSources(context, undefined) : undefined,
    holds(viewer, 'manageRegistries') ? listRegistries(context, undefined) : undefined,
  ]);
  return show({
    roles: viewer.roles,
    sources,
    registries,
    mayPublish: holds(viewer, 'manageEntries'),
    mayExplain: holds(viewer, 'superAdmin'),
  });
}

function refuseWithoutRole({ viewer }: AdminContext): ApiRefusal {
  const isStranger = viewer.kind === 'stranger';
  return new ApiRefusal(isStranger ? 401 : 403, {
    code: isStranger ? 'authentication_required' : 'role_missing',
    detail: isStranger
      ? 'These pages are for administrators: sign in first.'
      : 'These pages are for administrators, and you hold none of their roles. Whoever keeps the configuration of this registry can add a rule for you to auth.authz.roles.',
    errors: [],
  });
}
