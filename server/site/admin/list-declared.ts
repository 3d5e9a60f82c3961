import { withQuery } from './admin-api.ts';
import type { AdminContext } from './admin-context.ts';
import { type RegistryReport, registriesSchema, type SourceReport, sourcesSchema } from './api-schemas.ts';
import { type PageAnswer, show } from './page-answer.ts';
import type { PageRequest } from './page-request.ts';

/** Sources the viewer sees, in order of name: one page of them. */
export interface SourceLines {
  readonly sources: readonly SourceReport[];
  /** The next page of `/admin/sources`. */
  readonly next: string | undefined;
}

/** Registries the viewer sees, in order of name: one page of them. */
export interface RegistryLines {
  readonly registries: readonly RegistryReport[];
  /** The next page of `/admin/registries`. */
  readonly next: string | undefined;
}

/** `/admin/sources`. */
export async function showSources(
  context: AdminContext,
  { query }: PageRequest,
): Promise<PageAnswer<SourceLines>> {
  return show(await listSources(context, query.get('cursor') ?? undefined));
}

/** `/admin/registries`. */
export async function showRegistries(
  context: AdminContext,
  { query }: PageRequest,
): Promise<PageAnswer<RegistryLines>> {
  return show(await listRegistries(context, query.get('cursor') ?? undefined));
}

/** @throws ApiRefusal */
export async function listSources({ api }: AdminContext, cursor: string | undefined): Promise<SourceLines> {
  const { sources, metadata } = await api.read(withQuery('/v1/sources', { cursor }), sourcesSchema);
  return { sources, next: nextOf('/admin/sources', metadata) };
}

/** @throws ApiRefusal */
export async function listRegistries(
  { api }: AdminContext,
  cursor: string | undefined,
): Promise<RegistryLines> {
  const { registries, metadata } = await api.read(withQuery('/v1/registries', { cursor }), registriesSchema);
  return { registries, next: nextOf('/admin/registries', metadata) };
}

function nextOf(
  path: string,
  { nextCursor }: { readonly nextCursor?: string | undefined },
): string | undefined {
  return nextCursor === undefined ? undefined : withQuery(path, { cursor: nextCursor });
}

/** All sources the viewer sees. */
export async function listAllSources({ api }: Pick<AdminContext, 'api'>): Promise<readonly SourceReport[]> {
  const all: SourceReport[] = [];
  let cursor: string | undefined;
  do {
    const { sources, metadata } = await api.read(withQuery('/v1/sources', { cursor }), sourcesSchema);
    all.push(...sources);
    cursor = metadata.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Names of all registries the viewer sees. */
export async function listRegistryNames({ api }: Pick<AdminContext, 'api'>): Promise<readonly string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.read(withQuery('/v1/registries', { cursor }), registriesSchema);
    all.push(...page.registries.map(({ name }) => name));
    cursor = page.metadata.nextCursor;
  } while (cursor !== undefined);
  return all;
}
