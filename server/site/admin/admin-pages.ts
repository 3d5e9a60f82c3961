import type { SiteLocals } from '../site-locals.ts';
import { openAdminApi } from './admin-api.ts';
import type { AdminContext } from './admin-context.ts';
import { ApiRefusal } from './api-refusal.ts';
import { type FindPage, findPublished } from './find-published.ts';
import { type RegistryLines, type SourceLines, showRegistries, showSources } from './list-declared.ts';
import { readNotice } from './notices.ts';
import type { PageAnswer } from './page-answer.ts';
import { type PageRequest, readPageRequest } from './page-request.ts';
import { type AccessPage, showAccess } from './show-access.ts';
import { type OverviewPage, showOverview } from './show-overview.ts';
import { type PublishPage, showPublish } from './show-publish.ts';
import { type RawEntriesPage, showRawEntries } from './show-raw-entries.ts';
import { type RegistryPage, showRegistry } from './show-registry.ts';
import { type SourcePage, showSource } from './show-source.ts';
import { showVersion, type VersionPage } from './show-version.ts';

/** Answers a request for a page: reads what it shows, and carries out what a form on it asks for. */
type Answer<T> = (request: Request) => Promise<PageAnswer<T>>;

/** The administrators' pages, each made of what the API tells the viewer. */
export interface AdminPages {
  readonly overview: Answer<OverviewPage>;
  readonly sources: Answer<SourceLines>;
  readonly source: Answer<SourcePage>;
  readonly registries: Answer<RegistryLines>;
  readonly registry: Answer<RegistryPage>;
  readonly rawEntries: Answer<RawEntriesPage>;
  readonly findEntry: Answer<FindPage>;
  readonly version: Answer<VersionPage>;
  readonly publish: Answer<PublishPage>;
  readonly access: Answer<AccessPage>;
  /** What the form did that led to this address; undefined when none did. */
  notice(request: Request): string | undefined;
}

/** Everything of it with the rights of the viewer: pages can do no more than the API lets them. */
export function createAdminPages(locals: Pick<SiteLocals, 'api' | 'viewer' | 'catalog'>): AdminPages {
  const context: AdminContext = { ...locals, api: openAdminApi(locals.api) };
  const answer =
    <T>(showPage: (context: AdminContext, request: PageRequest) => Promise<PageAnswer<T>>): Answer<T> =>
    async (request) => {
      try {
        return await showPage(context, await readPageRequest(request));
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        const { status, code, detail } = error;
        return { kind: 'refused', status, code, detail };
      }
    };
  return {
    overview: answer(showOverview),
    sources: answer(showSources),
    source: answer(showSource),
    registries: answer(showRegistries),
    registry: answer(showRegistry),
    rawEntries: answer(showRawEntries),
    findEntry: answer(findPublished),
    version: answer(showVersion),
    publish: answer(showPublish),
    access: answer(showAccess),
    notice: (request) => readNotice(new URL(request.url).searchParams.get('notice')),
  };
}
