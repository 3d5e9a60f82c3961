import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Backend, Contribution } from '../../../cli/proxy/exchange.ts';
import { createHttpBackend } from '../../../cli/proxy/http/create-http-backend.ts';
import type { HttpBackendOptions } from '../../../cli/proxy/http/http-backend-options.ts';
import type { ProxyLog } from '../../../cli/proxy/proxy.ts';
import { startProxy } from '../../../cli/proxy/start-proxy.ts';
import { type Plan, type PlanInput, planSchema } from '../../../cli/run/plan.ts';

export function makePlan(more: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    schemaVersion: '1',
    name: 'tested',
    server: { kind: 'image', image: 'tested' },
    transport: 'streamable-http',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
    ...more,
  });
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly plan: Plan;
  readonly logged: LogLine[];
  /** To the client URL, or to a path of the proxy. */
  send(sending?: Sending): Promise<Reply>;
  /** Opens an answer without waiting for its end. */
  open(sending?: Sending): Promise<OpenReply>;
  /** Shakes hands and answers the session id. */
  initialize(version?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestProxyOptions {
  readonly plan?: Partial<PlanInput>;
  readonly target: string | (() => URL | undefined);
  readonly contributions?: (
    plan: Plan,
    around: { readonly backend: Backend; readonly log: ProxyLog },
  ) => readonly (Contribution | undefined)[] | Promise<readonly (Contribution | undefined)[]>;
  readonly backend?: Partial<HttpBackendOptions>;
}

/** A proxy on a free port in front of a server of the test. */
export async function startTestProxy(options: TestProxyOptions): Promise<TestProxy> {
  const plan = makePlan(options.plan);
  const logged: LogLine[] = [];
  const log: HttpBackendOptions['log'] = (level, fields, message) =>
    void logged.push({ level, fields, message });
  const { target } = options;
  const backend = createHttpBackend({
    target: typeof target === 'string' ? () => new URL(target) : target,
    transport: plan.transport === 'sse' ? 'sse' : 'streamable-http',
    proxy: plan.proxy,
    isRemote: plan.server.kind === 'remote',
    log,
    ...options.backend,
  });
  const given = (await options.contributions?.(plan, { backend, log })) ?? [];
  const contributions = given.filter((one) => one !== undefined);
  const proxy = await startProxy({ plan, backend, contributions, log });
  const send = (sending: Sending = {}) => ask(proxy.url, sending);
  return {
    url: proxy.url,
    port: proxy.port,
    plan,
    logged,
    send,
    open: (sending = {}) => openAnswer(proxy.url, sending),
    async initialize(version = '2025-11-25') {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const reply = await send({ body: { jsonrpc: '2.0', id: 'i', method: 'initialize', params } });
      return String(reply.headers['mcp-session-id']);
    },
    async close() {
      await proxy.close(50);
      await backend.close();
    },
  };
}

export interface Sending {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly session?: string;
  /** An object is sent as JSON. A body makes the method POST. */
  readonly body?: unknown;
  readonly agent?: Agent;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface OpenReply {
  readonly status: number;
  readonly response: IncomingMessage;
  readonly request: ClientRequest;
  /** What has arrived so far. */
  text(): string;
  ended(): boolean;
}

export async function ask(url: string, sending: Sending): Promise<Reply> {
  const { response } = await begin(url, sending);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

export async function openAnswer(url: string, sending: Sending): Promise<OpenReply> {
  const { response, request: sent } = await begin(url, sending);
  const chunks: Buffer[] = [];
  let isEnded = false;
  response.on('data', (chunk) => chunks.push(chunk));
  response.on('end', () => {
    isEnded = true;
  });
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    response,
    request: sent,
    text: () => Buffer.concat(chunks).toString('utf8'),
    ended: () => isEnded,
  };
}

function begin(
  url: string,
  sending: Sending,
): Promise<{ response: IncomingMessage; request: ClientRequest }> {
  const { body, method = body === undefined ? 'GET' : 'POST', path, headers = {}, session } = sending;
  const place = new URL(path ?? '', url);
  const { hostname, port, pathname, search } = path === undefined ? new URL(url) : place;
  const text =
    body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: pathname + search,
        method,
        agent: sending.agent ?? new Agent(),
        headers: {
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
          ...headers,
        },
      },
      (response) => resolve({ response, request: sent }),
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

export const call = (id: string | number, name: string, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
