import type { EntryStatus, EntryType } from '../../../sources/model/entry.ts';
import { OFFICIAL_META, ORIGIN_META } from '../../../sources/model/meta-keys.ts';
import type { VersionLine } from '../catalog-reader.ts';
import { withQuery } from './admin-api.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { accessHref, entryApiPath, findHref, sourceHref, versionHref, withNotice } from './admin-paths.ts';
import { ApiRefusal } from './api-refusal.ts';
import { claimsEnvelopeSchema, versionSchema } from './api-schemas.ts';
import { type FormFailure, moveTo, type PageAnswer, show } from './page-answer.ts';
import { type PageRequest, readText } from './page-request.ts';
import { type AskedVersion, planVersionChange, versionApiPath } from './plan-version-change.ts';
import { writeClaimsText } from './read-claims-text.ts';

/** `/admin/entries/TYPE/NAMESPACE/NAME?version=`: a version of a managed entry. */
export interface VersionPage {
  readonly type: EntryType;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly status: EntryStatus;
  readonly statusMessage: string;
  readonly isLatest: boolean;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
  /** The claims, and the message of a deprecation, as they stand in their forms. */
  readonly claimsText: string;
  readonly messageText: string;
  /** Its pages in the registries that show it to the viewer. */
  readonly shownIn: readonly { readonly registry: string; readonly href: string }[];
  /** The versions the viewer sees in one of those, each with the page it is changed on. */
  readonly versions: readonly VersionLine[];
  /** The entries of its source, for whoever may list them. */
  readonly entriesHref: string | undefined;
  /** The access view, for super-admins. */
  readonly accessHref: string | undefined;
  readonly failure: FormFailure | undefined;
}

/** Registries are asked one after the other: of hundreds not all. */
const MOST_REGISTRIES = 50;

/**
 * A version, and the forms `deprecate` (field `message`), `restore`, `delete` (`confirm`), `claims` (`claims`,
 * `confirm`).
 * @throws ApiRefusal when the viewer may not see it
 */
export async function showVersion(
  context: AdminContext,
  { path, query, form }: PageRequest,
): Promise<PageAnswer<VersionPage>> {
  const [, , type = '', namespace = '', own = ''] = path;
  const version = query.get('version') ?? '';
  if (type !== 'server' && type !== 'skill') throw noSuchPage();
  const name = `${namespace}/${own}`;
  if (version === '') return moveTo(findHref(type, name));
  const asked = { type, name, version, source: query.get('source') ?? undefined } as const;
  if (!form) return show(await readPage(context, asked));
  const failed = async (failure: FormFailure, status: number) => {
    const page = await readPage(context, asked);
    return show({ ...page, ...readTyped(form, failure.action), failure }, status);
  };
  const action = readText(form, 'action');
  const planned = planVersionChange(asked, action, form);
  if (!planned.ok) return failed({ action, message: planned.message }, 400);
  const { method, path: call, body, notice, leavesTo } = planned;
  const refusal = await context.api.change(method, call, body);
  if (refusal) return failed({ action, message: refusal.detail }, refusal.status);
  // Who gives an entry to others may have lost sight of it.
  const isLost = action === 'claims' && !(await isSeen(context, asked));
  return moveTo(withNotice(isLost ? '/admin/entries' : leavesTo, notice));
}

/** What goes back into the form that was not carried out. */
function readTyped(form: FormData, action: string): Partial<Pick<VersionPage, 'claimsText' | 'messageText'>> {
  if (action === 'claims') return { claimsText: readText(form, 'claims') };
  return action === 'deprecate' ? { messageText: readText(form, 'message') } : {};
}

async function isSeen({ api }: AdminContext, asked: AskedVersion): Promise<boolean> {
  try {
    await api.read(versionApiPath(asked), versionSchema);
    return true;
  } catch (error) {
    if (error instanceof ApiRefusal) return false;
    throw error;
  }
}

async function readPage(context: AdminContext, asked: AskedVersion): Promise<VersionPage> {
  const { type, name, version } = asked;
  const item = await context.api.read(versionApiPath(asked), versionSchema);
  const { [OFFICIAL_META]: official, [ORIGIN_META]: origin } = item._meta;
  const { title, description } = item.body;
  const { claims } = await context.api.read(
    withQuery(`${entryApiPath(type, name)}/claims`, { source: origin.source }),
    claimsEnvelopeSchema,
  );
  return {
    type,
    name,
    version,
    title: title ?? name,
    description: description ?? '',
    source: origin.source,
    status: official.status,
    statusMessage: official.statusMessage ?? '',
    isLatest: official.isLatest,
    publishedAt: Date.parse(official.publishedAt),
    updatedAt: Date.parse(official.updatedAt),
    claims,
    claimsText: writeClaimsText(claims),
    messageText: official.status === 'deprecated' ? (official.statusMessage ?? '') : '',
    ...findInCatalog(context, asked, origin.source),
    entriesHref: holds(context.viewer, 'manageSources') ? `${sourceHref(origin.source)}/entries` : undefined,
    accessHref: holds(context.viewer, 'superAdmin') ? accessHref(type, name) : undefined,
    failure: undefined,
  };
}

/** Where the catalog shows it to the viewer: shadowing and gates may keep it from being shown anywhere. */
function findInCatalog(
  { catalog }: AdminContext,
  { type, name, version }: AskedVersion,
  source: string,
): Pick<VersionPage, 'shownIn' | 'versions'> {
  const registries = catalog.listRegistries();
  if ('refused' in registries) return { shownIn: [], versions: [] };
  const details = registries.slice(0, MOST_REGISTRIES).flatMap((registry) => {
    const detail = catalog.readEntry(registry.name, type, name, version);
    return detail.refused || detail.origin.source !== source ? [] : [detail];
  });
  return {
    shownIn: details.map(({ registry, card }) => ({ registry: registry.name, href: card.href })),
    versions: (details[0]?.versions ?? []).map((line) => ({
      ...line,
      href: versionHref(type, name, line.version, source),
    })),
  };
}

function noSuchPage(): ApiRefusal {
  return new ApiRefusal(404, {
    code: 'type_invalid',
    detail: 'There is no such page: the type of an entry is server or skill.',
    errors: [],
  });
}
