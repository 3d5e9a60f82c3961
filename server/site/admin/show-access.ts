import type { EntryType } from '../../../sources/model/entry.ts';
import { type AdminApi, withQuery } from './admin-api.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { ApiRefusal } from './api-refusal.ts';
import { explanationSchema, registrySchema } from './api-schemas.ts';
import { type AccessRule, type AccessStep, describeAccess, describeSteps } from './describe-access.ts';
import { listRegistryNames } from './list-declared.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';
import { readClaimsText, writeClaimsText } from './read-claims-text.ts';

/** `/admin/access`: who sees an entry and why. */
export interface AccessPage {
  readonly registries: readonly string[];
  readonly asked: {
    readonly registry: string;
    readonly type: EntryType;
    readonly name: string;
    /** As it was typed. */
    readonly claims: string;
  };
  /** Undefined until an entry is named. */
  readonly rule: AccessRule | undefined;
  /** Undefined until a caller is tried. */
  readonly tried: TriedCaller | undefined;
  /** Why there is nothing to tell of the entry, or of that caller. */
  readonly problem: { readonly field: 'entry' | 'claims'; readonly message: string } | undefined;
  /** The claims of the viewer, as they are typed. */
  readonly ownClaims: string;
}

export interface TriedCaller {
  readonly visible: boolean;
  /** The step that decided. */
  readonly decidedBy: string;
  readonly servedFrom: string | undefined;
  readonly steps: readonly AccessStep[];
}

/**
 * Query `registry`, `type`, `name`, and `claims` of a caller to try.
 * @throws ApiRefusal for whoever is no super-admin
 */
export async function showAccess(
  { api, viewer }: AdminContext,
  { query }: PageRequest,
): Promise<PageAnswer<AccessPage>> {
  const type = query.get('type') === 'skill' ? 'skill' : 'server';
  const name = query.get('name')?.trim() ?? '';
  const claims = query.get('claims') ?? '';
  const isAllowed = holds(viewer, 'superAdmin');
  // Whoever is refused here is told so by the call this page is for.
  if (!isAllowed) await explain(api, { registry: query.get('registry') ?? '', type, name }, {});
  const registries = await listRegistryNames({ api });
  const [only, ...others] = registries;
  const registry = query.get('registry') ?? (others.length === 0 ? (only ?? '') : '');
  const asked = { registry, type, name, claims } as const;
  const page: AccessPage = {
    registries,
    asked,
    rule: undefined,
    tried: undefined,
    problem: undefined,
    ownClaims: writeClaimsText(viewer.claims),
  };
  if (registry === '' || name === '') return show(page);
  try {
    const explanation = await explain(api, asked, {});
    const { sources } = await api.read(`/v1/registries/${encodeURIComponent(registry)}`, registrySchema);
    const rule = describeAccess(explanation, sources, viewer.kind === 'open');
    return show(await tryCaller(api, { ...page, rule }));
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return show({ ...page, problem: { field: 'entry', message: error.detail } }, error.status);
  }
}

async function tryCaller(api: AdminApi, page: AccessPage): Promise<AccessPage> {
  const read = readClaimsText(page.asked.claims);
  if (!read.ok) return { ...page, problem: { field: 'claims', message: read.message } };
  if (!read.claims) return page;
  const explanation = await explain(api, page.asked, read.claims);
  const { visible, decidedBy, servedFrom } = explanation;
  return { ...page, tried: { visible, decidedBy, servedFrom, steps: describeSteps(explanation) } };
}

type Question = Pick<AccessPage['asked'], 'registry' | 'type' | 'name'>;

function explain(api: AdminApi, { registry, type, name }: Question, claims: object) {
  const query = { registry, entry: `${type}/${name}`, claims: JSON.stringify(claims) };
  return api.read(withQuery('/v1/explain', query), explanationSchema);
}
