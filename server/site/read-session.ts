import type { Identity } from '../auth/identity.ts';
import type { Viewer } from './site-locals.ts';

/** Who asks for a page, as established before it is rendered. */
export interface Session {
  readonly viewer: Viewer;
  /** Undefined for a stranger: somebody the API would answer with 401. */
  readonly identity: Identity | undefined;
  /** The `Authorization` of calls made for the viewer. */
  readonly authorization: string | undefined;
  /** `Set-Cookie` values to be sent with the page. */
  readonly setCookies: readonly string[];
}
