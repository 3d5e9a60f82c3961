import type { EntryType } from '../../../sources/model/entry.ts';
import type { CatalogReader } from '../catalog-reader.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { versionHref } from './admin-paths.ts';
import { moveTo, type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';
import { refuseWithoutRole } from './refuse-without-role.ts';

/** `/admin/entries`: the way to the page of a published version, for whoever knows its name. */
export interface FindPage {
  readonly asked: { readonly type: EntryType; readonly name: string };
  readonly problem: string | undefined;
  /** Whether the entries of a source can be listed instead. */
  readonly mayList: boolean;
}

/**
 * Query `type` and `name`; leads on to the latest version the catalog shows the viewer.
 * @throws ApiRefusal for somebody who may not change entries
 */
export async function findPublished(
  context: AdminContext,
  { query }: PageRequest,
): Promise<PageAnswer<FindPage>> {
  refuseWithoutRole(context.viewer, 'manageEntries');
  const type = query.get('type') === 'skill' ? 'skill' : 'server';
  const name = query.get('name')?.trim() ?? '';
  const page = { asked: { type, name }, mayList: holds(context.viewer, 'manageSources') } as const;
  if (name === '') return show({ ...page, problem: undefined });
  const found = findInCatalog(context.catalog, type, name);
  if (typeof found !== 'string') return show({ ...page, problem: describeMiss(found) }, 404);
  return moveTo(found);
}

type Miss = 'synced' | undefined;

function findInCatalog(
  catalog: CatalogReader,
  type: EntryType,
  name: string,
): string | { readonly miss: Miss } {
  const registries = catalog.listRegistries();
  let miss: Miss;
  for (const registry of 'refused' in registries ? [] : registries) {
    const detail = catalog.readEntry(registry.name, type, name, undefined);
    if (detail.refused) continue;
    const { source, rest } = detail.origin;
    const isManaged = rest.some(([key, value]) => key === 'kind' && value === 'managed');
    if (isManaged) return versionHref(type, name, detail.card.version, source);
    miss = 'synced';
  }
  return { miss };
}

function describeMiss({ miss }: { readonly miss: Miss }): string {
  return miss === 'synced'
    ? 'This entry comes from a synced source: change it there. Only published entries are changed here.'
    : 'No registry shows you a published entry of this name.';
}
