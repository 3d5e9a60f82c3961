import { withQuery } from './admin-api.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { accessHref, registryHref, sourceHref, versionHref } from './admin-paths.ts';
import { type RawEntryReport, rawEntriesSchema } from './api-schemas.ts';
import { listAllSources } from './list-declared.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';

const PAGE_SIZE = '50';

export interface RawVersionLine {
  readonly version: string;
  readonly status: 'active' | 'deprecated' | 'deleted';
  /** Where it is changed; undefined for what comes from a synced source, and for whom the API refuses it. */
  readonly href: string | undefined;
}

export interface RawEntryLine extends Pick<RawEntryReport, 'type' | 'name' | 'claims'> {
  readonly source: string | undefined;
  readonly versions: readonly RawVersionLine[];
  /** Its access view, for super-admins. */
  readonly accessHref: string | undefined;
}

/** `/admin/sources/NAME/entries` and `/admin/registries/NAME/entries`: entries whether or not anybody sees them. */
export interface RawEntriesPage {
  readonly of: 'source' | 'registry';
  readonly name: string;
  /** The page of the source or registry. */
  readonly home: string;
  readonly entries: readonly RawEntryLine[];
  /** This is not the first page. */
  readonly isContinued: boolean;
  readonly next: string | undefined;
}

/** @throws ApiRefusal when the viewer may not see the source or registry */
export async function showRawEntries(
  context: AdminContext,
  { path, query }: PageRequest,
): Promise<PageAnswer<RawEntriesPage>> {
  const [, kind, name = ''] = path;
  const of = kind === 'registries' ? 'registry' : 'source';
  const home = of === 'registry' ? registryHref(name) : sourceHref(name);
  const cursor = query.get('cursor') ?? undefined;
  const call = `/v1/${of === 'registry' ? 'registries' : 'sources'}/${encodeURIComponent(name)}/entries`;
  const { entries, metadata } = await context.api.read(
    withQuery(call, { limit: PAGE_SIZE, cursor }),
    rawEntriesSchema,
  );
  const managed = await listManaged(context);
  const registry = of === 'registry' ? name : undefined;
  return show({
    of,
    name,
    home,
    entries: entries.map((entry) => {
      const source = entry.source ?? name;
      return describeEntry(context, entry, { source, registry, isManaged: managed.has(source) });
    }),
    isContinued: cursor !== undefined,
    next: metadata.nextCursor && withQuery(`${home}/entries`, { cursor: metadata.nextCursor }),
  });
}

interface Place {
  readonly source: string;
  readonly registry: string | undefined;
  readonly isManaged: boolean;
}

function describeEntry(
  { viewer }: AdminContext,
  { type, name, claims, versions }: RawEntryReport,
  { source, registry, isManaged }: Place,
): RawEntryLine {
  const canChange = isManaged && holds(viewer, 'manageEntries');
  return {
    type,
    name,
    claims,
    source: registry === undefined ? undefined : source,
    versions: versions.map(({ version, status }) => ({
      version,
      status,
      href: canChange ? versionHref(type, name, version, source) : undefined,
    })),
    accessHref: holds(viewer, 'superAdmin') ? accessHref(type, name, registry) : undefined,
  };
}

/** Which sources are managed; whoever may not read sources is not led to changing entries from here. */
async function listManaged(context: AdminContext): Promise<ReadonlySet<string>> {
  if (!holds(context.viewer, 'manageSources')) return new Set();
  const sources = await listAllSources(context);
  return new Set(sources.filter(({ type }) => type === 'managed').map(({ name }) => name));
}
