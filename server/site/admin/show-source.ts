import { parseDuration } from '../../../sources/config/duration.ts';
import { describeOrigin } from '../catalog/describe-origin.ts';
import type { OriginLines } from '../catalog-reader.ts';
import type { AdminContext } from './admin-context.ts';
import { sourceHref, withNotice } from './admin-paths.ts';
import type { ApiRefusal } from './api-refusal.ts';
import { type BundleReport, bundlesSchema, type SourceReport, sourceSchema } from './api-schemas.ts';
import { type FormFailure, moveTo, type PageAnswer, show } from './page-answer.ts';
import { type PageRequest, readText } from './page-request.ts';

/** `/admin/sources/NAME`. */
export interface SourcePage {
  readonly source: SourceReport;
  /** Where it is fetched from, as name and value. */
  readonly settings: readonly (readonly [string, string])[];
  /** Milliseconds since the epoch; undefined when nothing is planned. A failed source is tried again earlier. */
  readonly nextSync: number | undefined;
  /** Of the bundle that is served. */
  readonly origin: OriginLines | undefined;
  readonly bundles: readonly BundleReport[];
  readonly canSync: boolean;
  readonly failure: FormFailure | undefined;
}

const PUSHED: ReadonlySet<SourceReport['type']> = new Set(['managed', 'kubernetes']);

/**
 * A source and its state; forms `sync` and `rollback` (fields `hash`, `confirm`).
 * @throws ApiRefusal when the viewer may not see it
 */
export async function showSource(
  context: AdminContext,
  { path, form }: PageRequest,
): Promise<PageAnswer<SourcePage>> {
  const name = path[2] ?? '';
  if (!form) return show(await readPage(context, name));
  const action = readText(form, 'action');
  const failed = async (message: string, status: number) =>
    show({ ...(await readPage(context, name)), failure: { action, message } }, status);

  const call = `/v1/sources/${encodeURIComponent(name)}`;
  let refusal: ApiRefusal | undefined;
  switch (action) {
    case 'sync':
      refusal = await context.api.change('POST', `${call}/sync`);
      if (!refusal) return moveTo(withNotice(sourceHref(name), 'sync-asked'));
      break;
    case 'rollback':
      if (readText(form, 'confirm') !== 'yes') return failed('Tick the box to go back to that bundle.', 400);
      refusal = await context.api.change('POST', `${call}/rollback`, { hash: readText(form, 'hash') });
      if (!refusal) return moveTo(withNotice(sourceHref(name), 'rolled-back'));
      break;
    default:
      return failed('There is no such form on this page.', 400);
  }
  return failed(refusal.detail, refusal.status);
}

async function readPage({ api }: AdminContext, name: string): Promise<SourcePage> {
  const path = `/v1/sources/${encodeURIComponent(name)}`;
  const source = await api.read(path, sourceSchema);
  const isPushed = PUSHED.has(source.type);
  const { bundles } = isPushed ? { bundles: [] } : await api.read(`${path}/bundles`, bundlesSchema);
  const { bundle } = source.status;
  return {
    source,
    settings: describeSettings(source),
    nextSync: planNext(source),
    origin: bundle && describeOrigin(JSON.stringify({ ...bundle.origin, source: name })),
    bundles,
    canSync: !isPushed,
    failure: undefined,
  };
}

/** An inline catalog is not shown: its entries are. */
function describeSettings(source: SourceReport): SourcePage['settings'] {
  const block = source.type === 'managed' ? {} : (source[source.type] ?? {});
  return Object.entries(block).map(([name, value]) => {
    if (source.type === 'file' && name === 'data') return [name, 'inline'];
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
}

function planNext({ syncPolicy, status }: SourceReport): number | undefined {
  const interval = syncPolicy && parseDuration(syncPolicy.interval);
  if (interval === undefined || status.lastAttemptTime === null) return undefined;
  return Date.parse(status.lastAttemptTime) + interval;
}
