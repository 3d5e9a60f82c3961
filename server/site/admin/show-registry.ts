import { type AdminContext, holds } from './admin-context.ts';
import { type RegistryReport, registrySchema } from './api-schemas.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';

/** `/admin/registries/NAME`. */
export interface RegistryPage {
  readonly registry: RegistryReport;
  /** Whether the pages of its sources can be opened. */
  readonly linksSources: boolean;
  readonly mayExplain: boolean;
}

/** @throws ApiRefusal when the viewer may not see it */
export async function showRegistry(
  { api, viewer }: AdminContext,
  { path }: PageRequest,
): Promise<PageAnswer<RegistryPage>> {
  const registry = await api.read(`/v1/registries/${encodeURIComponent(path[2] ?? '')}`, registrySchema);
  return show({
    registry,
    linksSources: holds(viewer, 'manageSources'),
    mayExplain: holds(viewer, 'superAdmin'),
  });
}
