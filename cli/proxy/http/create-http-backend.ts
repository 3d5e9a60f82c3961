import type { Backend } from '../exchange.ts';
import { listTools, probeServer } from './ask-server.ts';
import { endSession } from './end-session.ts';
import { deliverOnStream, handleSse } from './handle-sse.ts';
import { handleStreamable } from './handle-streamable.ts';
import type { HttpBackendOptions } from './http-backend-options.ts';
import { createHttpSessions, type HttpSession } from './http-sessions.ts';
import { createRelay } from './relay.ts';
import { createSseSessions } from './sse-sessions.ts';
import { createUpstreamPools } from './upstream-pools.ts';

/**
 * The end of the chain for a server that speaks HTTP itself, in a container or remote (contract 5): a reverse proxy
 * that streams, knows the sessions the server opened, and reads only what a link wants to see.
 */
export function createHttpBackend(options: HttpBackendOptions): Backend {
  const { now = Date.now, proxy, transport, log } = options;
  const pools = createUpstreamPools(options.ca);
  let isReached = true;
  const relay = createRelay({
    options,
    pools,
    noteReached(reached) {
      isReached = reached;
    },
  });
  const asking = { options, pools };
  const expire = (session: HttpSession): void => {
    endSession(asking, session).catch((error: unknown) => {
      log('debug', { error: String(error) }, 'a session that expired could not be ended at the server');
    });
  };
  const sessions = createHttpSessions(proxy.sessionTtlMs, now, expire);
  const streams = createSseSessions();
  return {
    handle: (exchange) =>
      transport === 'sse'
        ? handleSse(exchange, { options, streams, relay })
        : handleStreamable(exchange, { options, sessions, relay }),
    probe: (signal) => probeServer(asking, signal),
    listTools: (signal) => listTools(asking, signal),
    deliver: (exchange, message) => transport === 'sse' && deliverOnStream(streams, exchange, message),
    owns: (path) => streams.owns(path),
    isAvailable: () => isReached && options.target() !== undefined,
    async close() {
      sessions.close();
      await pools.close();
    },
  };
}
