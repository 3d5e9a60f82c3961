import type { HttpBindings } from '@hono/node-server';
import type { Identity } from './auth/identity.ts';
import type { Observed } from './observe/observed.ts';
import type { Runtime } from './runtime.ts';

/** What travels with a request through the Hono app. */
export interface AppEnv {
  Bindings: Partial<HttpBindings> & {
    /** True for a call a page makes: it was counted when the page was asked for. */
    readonly isCounted?: boolean;
  };
  Variables: {
    /** The runtime the request began with: a reload in between does not change it. */
    runtime: Runtime;
    requestId: string;
    identity: Identity;
    observed: Observed;
  };
}
