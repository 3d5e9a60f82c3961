import type { AttachedStreams } from '../engine/engine.ts';
import type { Backend } from '../proxy/exchange.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { Plan } from '../run/plan.ts';
import type { HealthTarget } from './check-health.ts';

/** The end of the chain for a server in a container, told where that is now. */
export interface ServerConnection {
  readonly backend: Backend;
  /** A stdio server was attached, before its start. */
  attach(streams: AttachedStreams): void;
  /** An HTTP server was started. */
  connect(place: { readonly host: string; readonly port: number }): void;
  /** It is gone: what waits for an answer fails at once with the reason. */
  detach(reason: string): void;
  /** Where an HTTP server is now. */
  target(): HealthTarget | undefined;
}

const USUAL_PATHS = { sse: '/sse', 'streamable-http': '/mcp' } as const;

export async function connectServer(plan: Plan, log: ProxyLog): Promise<ServerConnection> {
  return plan.transport === 'stdio' ? connectStdio(plan, log) : connectHttp(plan, plan.transport, log);
}

async function connectStdio(plan: Plan, log: ProxyLog): Promise<ServerConnection> {
  const { createStdioBackend } = await import('../proxy/stdio/create-stdio-backend.ts');
  const backend = createStdioBackend({ plan, log });
  return {
    backend,
    attach: (streams) => backend.attach(streams),
    connect: () => {},
    detach: (reason) => backend.detach(reason),
    target: () => undefined,
  };
}

async function connectHttp(
  { proxy, target }: Plan,
  transport: 'sse' | 'streamable-http',
  log: ProxyLog,
): Promise<ServerConnection> {
  const { createHttpBackend } = await import('../proxy/http/create-http-backend.ts');
  let place: { readonly host: string; readonly port: number } | undefined;
  const path = target.path ?? USUAL_PATHS[transport];
  const backend = createHttpBackend({
    target: () =>
      place === undefined ? undefined : new URL(path, `http://${formatHost(place.host)}:${place.port}`),
    transport,
    proxy,
    isRemote: false,
    log,
    // Many servers refuse hosts they do not know; this is what they expect of somebody beside them.
    ...(target.port === undefined ? {} : { hostHeader: `localhost:${target.port}` }),
  });
  return {
    backend,
    attach: () => {},
    connect: (found) => {
      place = found;
    },
    detach: () => {
      place = undefined;
    },
    target: () => (place === undefined ? undefined : { ...place, path }),
  };
}

function formatHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
