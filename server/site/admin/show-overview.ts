import type { Role } from '../../auth/identity.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { listRegistries, listSources, type RegistryLines, type SourceLines } from './list-declared.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';
import { refuseWithoutRole } from './refuse-without-role.ts';

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
  refuseWithoutRole(viewer, undefined);
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
