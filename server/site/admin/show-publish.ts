import type { EntryType } from '../../../sources/model/entry.ts';
import { isPlainObject } from '../../../sources/model/plain-object.ts';
import { withQuery } from './admin-api.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { versionHref, withNotice } from './admin-paths.ts';
import type { ApiRefusal } from './api-refusal.ts';
import { listAllSources } from './list-declared.ts';
import { createMemberLocator } from './locate-member.ts';
import { moveTo, type PageAnswer, show } from './page-answer.ts';
import { type PageRequest, readText } from './page-request.ts';
import { readClaimsText } from './read-claims-text.ts';
import { readEntryText } from './read-entry-text.ts';
import { refuseWithoutRole } from './refuse-without-role.ts';

export type PublishField = 'entry' | 'claims' | 'source' | 'form';

export interface FieldError {
  readonly field: PublishField;
  /** The member at fault; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** Line of the text, from 1, where it is known. */
  readonly line: number | undefined;
}

/** What was typed, as it goes back into the form. */
export interface PublishValues {
  readonly type: EntryType;
  readonly entry: string;
  readonly claims: string;
  readonly source: string;
}

/** `/admin/publish`. */
export interface PublishPage {
  readonly values: PublishValues;
  /** Managed sources to choose from; undefined when the viewer may not list them and has to name one. */
  readonly sources: readonly string[] | undefined;
  readonly errors: readonly FieldError[];
  /** Claims may be left out: nobody signs in here. */
  readonly isAnonymous: boolean;
}

/** Which field of the form a refusal is about. */
const FIELDS: Readonly<Record<string, PublishField>> = {
  schema_invalid: 'entry',
  kind_ambiguous: 'entry',
  version_exists: 'entry',
  claims_missing: 'claims',
  claims_invalid: 'claims',
  claims_not_subset: 'claims',
  claims_differ: 'claims',
  no_managed_source: 'source',
  source_unknown: 'source',
  source_ambiguous: 'source',
  source_forbidden: 'source',
};

/**
 * The form that publishes a version; fields `type`, `entry` or the file `file`, `claims`, `source`.
 * @throws ApiRefusal for somebody who may not publish at all
 */
export async function showPublish(
  context: AdminContext,
  { query, form }: PageRequest,
): Promise<PageAnswer<PublishPage>> {
  if (!form) {
    refuseWithoutRole(context.viewer, 'manageEntries');
    const type = query.get('type') === 'skill' ? 'skill' : 'server';
    const claims = '';
    return show(await makePage(context, { type, entry: '', claims, source: query.get('source') ?? '' }, []));
  }
  const given = await readValues(form);
  if (!given.ok) return show(await makePage(context, given.values, [given.error]), 400);
  const { values } = given;
  const read = readEntryText(values.type, values.entry);
  const claims = readClaimsText(values.claims);
  if (!read.ok || !claims.ok) {
    const errors = [
      ...(read.ok ? [] : [{ field: 'entry' as const, path: '', message: read.message, line: read.line }]),
      ...(claims.ok
        ? []
        : [{ field: 'claims' as const, path: '', message: claims.message, line: undefined }]),
    ];
    return show(await makePage(context, values, errors), 400);
  }
  const refusal = await context.api.change('POST', withQuery('/v1/entries', { source: values.source }), {
    [values.type]: read.entry,
    ...(claims.claims ? { claims: claims.claims } : {}),
  });
  if (refusal) {
    return show(await makePage(context, values, describeRefusal(refusal, values.entry)), refusal.status);
  }
  const { name, version } = identify(values.type, read.entry);
  return moveTo(withNotice(versionHref(values.type, name, version, values.source || undefined), 'published'));
}

type Given =
  | { readonly ok: true; readonly values: PublishValues }
  | { readonly ok: false; readonly values: PublishValues; readonly error: FieldError };

/** A file that was chosen stands for the text. */
async function readValues(form: FormData): Promise<Given> {
  const values: PublishValues = {
    type: readText(form, 'type') === 'skill' ? 'skill' : 'server',
    entry: readText(form, 'entry'),
    claims: readText(form, 'claims'),
    source: readText(form, 'source').trim(),
  };
  const file = form.get('file');
  if (file === null || typeof file === 'string' || file.size === 0) return { ok: true, values };
  try {
    const entry = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return { ok: true, values: { ...values, entry } };
  } catch {
    const message = 'The file is not UTF-8 text.';
    return { ok: false, values, error: { field: 'entry', path: '', message, line: undefined } };
  }
}

function describeRefusal({ code, detail, errors }: ApiRefusal, text: string): readonly FieldError[] {
  const field = FIELDS[code] ?? 'form';
  if (errors.length === 0) return [{ field, path: '', message: detail, line: undefined }];
  const locate = createMemberLocator(text);
  return errors.map(({ path, message }) => ({ field, path, message, line: locate(path) }));
}

/** The API took it, so it has these. */
function identify(type: EntryType, entry: unknown): { readonly name: string; readonly version: string } {
  const { namespace, name, version } = isPlainObject(entry) ? entry : {};
  const own = String(name);
  return { name: type === 'skill' ? `${String(namespace)}/${own}` : own, version: String(version) };
}

async function makePage(
  context: AdminContext,
  values: PublishValues,
  errors: readonly FieldError[],
): Promise<PublishPage> {
  return {
    values,
    errors,
    sources: holds(context.viewer, 'manageSources')
      ? (await listAllSources(context)).filter(({ type }) => type === 'managed').map(({ name }) => name)
      : undefined,
    isAnonymous: context.viewer.kind === 'open',
  };
}
