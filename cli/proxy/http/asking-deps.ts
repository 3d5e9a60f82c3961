import type { HttpBackendOptions } from './http-backend-options.ts';
import type { UpstreamPools } from './upstream-pools.ts';

/** What the proxy asks the server with by itself. */
export interface AskingDeps {
  readonly options: HttpBackendOptions;
  readonly pools: UpstreamPools;
}
