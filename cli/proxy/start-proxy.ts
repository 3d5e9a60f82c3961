import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '../../sources/errors.ts';
import { bindServer } from './bind-server.ts';
import { checkOrigin, decideOriginRules, isOurHost } from './check-origin.ts';
import { choosePath, formatClientUrl } from './client-url.ts';
import { composeChain } from './compose-chain.ts';
import { CHAIN_ORDER, type Exchange } from './exchange.ts';
import { makeExchange } from './make-exchange.ts';
import { answerHealth, answerMetadata, answerMethod, answerNotFound, isMetadataPath } from './open-routes.ts';
import { parseMcp } from './parse-mcp.ts';
import type { ProxyLog, ProxyOptions, Proxy as RunningProxy } from './proxy.ts';
import { answerTooLarge } from './refuse-body.ts';
import { announcesTooMuch, BodyTooLargeError, ClientGoneError } from './request-body.ts';
import { answerRpcError, RPC } from './rpc-answer.ts';

/** Time a client has for its request line and headers, and for all of its request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 75_000;
const CHECK_EVERY_MS = 5_000;
const GRACE_MS = 5_000;
const METHODS = 'GET, POST, DELETE, OPTIONS';

/**
 * Starts the proxy of a workload (contract 5): listens, checks body, host and origin, answers what needs no server, and
 * leads everything else through the links of the contributions to the backend. Backend and contributions stay the
 * caller's to close.
 *
 * @throws BerthError `proxy_port_busy`, `proxy_port_refused`, `proxy_host_unusable`
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { plan, log } = options;
  const { proxy } = plan;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  const port = await bindServer(server, proxy.host, proxy.port ?? 0);
  const rules = decideOriginRules(proxy, port);
  if (rules.origins === undefined) {
    log(
      'warn',
      { host: proxy.host },
      'every Origin is allowed: the proxy is not bound to loopback and --allowed-origins is not given',
    );
  }
  const route = createRouter(options);
  const underWay = new Set<Exchange>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = makeExchange(request, response, proxy, options.backend);
    underWay.add(exchange);
    response.once('close', () => underWay.delete(exchange));
    if (plan.debug) response.once('close', () => noteExchange(exchange, log));
    try {
      if (announcesTooMuch(request)) return answerTooLarge(exchange);
      if (isMetadataPath(exchange.path, plan) && isOurHost(rules, request)) {
        return answerMetadata(request, response, plan);
      }
      if (checkOrigin(rules, request, response)) await route(exchange);
    } catch (error) {
      if (error instanceof BodyTooLargeError) return answerTooLarge(exchange);
      if (error instanceof ClientGoneError || request.destroyed) return;
      const fields = { requestId: exchange.requestId, path: exchange.path, error: messageOf(error) };
      log(
        'error',
        { ...fields, stack: error instanceof Error ? error.stack : undefined },
        'a request failed',
      );
      recover(exchange);
    }
  };
  server.on('request', (request, response) => void serve(request, response));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!announcesTooMuch(request)) response.writeContinue();
    void serve(request, response);
  });
  return {
    url: formatClientUrl(plan, port),
    port,
    async close(graceMs = GRACE_MS) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const { request, response } of underWay) {
        if (request.method === 'GET' && response.headersSent) response.end();
      }
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      // Connections become idle one by one as what is under way ends.
      const sweeper = setInterval(() => server.closeIdleConnections(), 20);
      await closed;
      clearTimeout(timer);
      clearInterval(sweeper);
    },
  };
}

/** With `--debug`: what was asked and what it came to. */
function noteExchange(
  { request, response, path, requestId, mcp, startedAt, outcome }: Exchange,
  log: ProxyLog,
): void {
  const fields = {
    requestId,
    method: request.method,
    path,
    mcp: mcp?.method,
    status: response.statusCode,
    refusal: outcome.refusal,
    ms: Math.round(performance.now() - startedAt),
  };
  log('debug', fields, 'request answered');
}

function createRouter({ plan, backend, contributions }: ProxyOptions): (exchange: Exchange) => Promise<void> {
  const parsing = contributions.some(({ needsMcp }) => needsMcp) ? [{ stages: { mcp: parseMcp } }] : [];
  const governed = composeChain(
    [...contributions, ...parsing],
    CHAIN_ORDER.filter((name) => name !== 'body-limit' && name !== 'recovery' && name !== 'origin'),
    (exchange) => backend.handle(exchange),
  );
  const clientPath = choosePath(plan);
  const isSse = clientPath === '/sse';
  const routes = new Map(contributions.flatMap(({ routes = {} }) => Object.entries(routes)));
  return async (exchange) => {
    const { path, request, response } = exchange;
    if (path === '/health') return answerHealth(response, plan, backend);
    const open = routes.get(path);
    if (open) return open(request, response);
    const isMcp = path === clientPath || (path === '/mcp' && !isSse) || backend.owns?.(path) === true;
    if (!isMcp) return answerNotFound(response);
    const methods = plan.proxy.stateless ? ['POST'] : ['GET', 'POST', 'DELETE'];
    if (!methods.includes(request.method ?? '')) {
      return answerMethod(response, plan.proxy.stateless ? 'POST, OPTIONS' : METHODS);
    }
    return governed(exchange);
  };
}

/** The link `recovery`: a failure of any other link is answered, and its cause stays in the log. */
function recover({ response }: Exchange): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  answerRpcError(response, 500, {
    code: RPC.internal,
    message: 'Internal error of the proxy. Its log says more.',
  });
}
