import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';
import type { Role } from '../auth/identity.ts';
import type { AdminPages } from './admin/admin-pages.ts';
import type { CatalogReader } from './catalog-reader.ts';

/** Who looks at a page. */
export interface Viewer {
  /** `open`: anonymous mode; `stranger`: not signed in; `signed-in`; `export`: the audience of a static export. */
  readonly kind: 'open' | 'stranger' | 'signed-in' | 'export';
  /** How to address them: a name of the token, else the subject; empty unless signed in. */
  readonly name: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, readonly string[]>>;
  readonly roles: readonly Role[];
  /** May everything: super-admin, auth-only mode, anonymous mode. */
  readonly unrestricted: boolean;
  /** Milliseconds since the epoch; undefined when it never ends. */
  readonly expiresAt: number | undefined;
  /** Whether this service has a provider to sign in with. */
  readonly canSignIn: boolean;
  /** Goes as hidden field `csrf` into every form that is posted; empty unless signed in. */
  readonly csrf: string;
}

/** A call of this service's own API as the viewer, within the process: the same checks, records and answers. */
export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown;
}

/** Why a page cannot be shown; of the page that says so. */
export interface PageProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** What a page is given (`Astro.locals.berth`). */
export interface SiteLocals {
  readonly title: string;
  /** Where clients reach this service, without a slash at the end. */
  readonly baseUrl: string;
  readonly viewer: Viewer;
  readonly catalog: CatalogReader;
  /** What the pages below `/admin` show and do. */
  readonly admin: AdminPages;
  /**
   * Calls the API as the viewer.
   * @param path with its query, such as `/v1/sources`
   */
  readonly api: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;
  readonly now: () => number;
  readonly requestId: string;
  /** Tells the log of the service what kept a page from being rendered. */
  readonly reportFailure: (error: unknown) => void;
  /** Only on the page `/site-problem`. */
  readonly problem?: PageProblem;
}

/** Why there is nothing to show; the status is the page's too. */
export interface Refusal {
  readonly refused: true;
  readonly status: 400 | 401 | 403 | 404;
  readonly code: string;
  readonly detail: string;
}

export type { EntryStatus, EntryType };
