import type { Readable } from 'node:stream';
import { z } from 'zod';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { ListedTool, ServerDescription } from '../exchange.ts';
import { readHeader } from './client-headers.ts';
import type { HttpBackendOptions } from './http-backend-options.ts';
import { NEWEST_WITH_SESSIONS, STATELESS_SINCE } from './revisions.ts';
import { createSseSplitter, readSseEvent } from './sse-events.ts';
import type { UpstreamPools } from './upstream-pools.ts';

export interface AskingDeps {
  readonly options: HttpBackendOptions;
  readonly pools: UpstreamPools;
}

/** JSON-RPC error codes by which a server says that it does not know `initialize`, or not in that revision. */
const NOT_KNOWN: ReadonlySet<number> = new Set([-32601, -32022, -32004]);
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 1000;
const CLIENT = { name: 'berth', version: '1' };
const META = 'io.modelcontextprotocol/';

const answerSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
type Answer = z.infer<typeof answerSchema>;
const infoSchema = z.looseObject({ name: z.string().default(''), version: z.string().default('') });
const toolsSchema = z.looseObject({
  tools: z.array(
    z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.unknown()).optional() }),
  ),
  nextCursor: z.string().optional(),
});

interface Conversation {
  readonly description: ServerDescription;
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The server as somebody who can be asked by the proxy itself, outside of the chain. */
export const askServer = {
  /** @throws BerthError `server_unreachable`, `server_refused`, `server_not_mcp`, `server_unauthorized` */
  async probe(deps: AskingDeps, signal: AbortSignal): Promise<ServerDescription> {
    const conversation = await open(deps, signal);
    await conversation.close();
    return conversation.description;
  },

  /** @throws BerthError as `probe` */
  async listTools(deps: AskingDeps, signal: AbortSignal): Promise<readonly ListedTool[]> {
    const conversation = await open(deps, signal);
    const tools: ListedTool[] = [];
    try {
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const result = await conversation.request('tools/list', cursor === undefined ? {} : { cursor });
        const read = toolsSchema.safeParse(result);
        if (!read.success) throw notMcp(deps, 'its list of tools is malformed');
        for (const { name, annotations = {}, ...rest } of read.data.tools)
          tools.push({ ...rest, name, annotations });
        cursor = read.data.nextCursor;
        if (cursor === undefined) break;
      }
    } finally {
      await conversation.close();
    }
    return tools;
  },

  /** Ends a session that nobody uses any more. */
  async endSession(
    { options, pools }: AskingDeps,
    session: { readonly id: string; readonly version: string | undefined },
  ): Promise<void> {
    const target = options.target();
    if (target === undefined) return;
    const headers = {
      ...(await options.credentials?.()),
      host: options.hostHeader ?? target.host,
      'mcp-session-id': session.id,
      ...(session.version === undefined ? {} : { 'mcp-protocol-version': session.version }),
    };
    const path = target.pathname + target.search;
    const { body } = await pools.find(target.origin).request({ path, method: 'DELETE', headers });
    await body.dump();
  },
};

function open(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
  return deps.options.transport === 'sse' ? openSse(deps, signal) : openStreamable(deps, signal);
}

async function openStreamable(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
  const post = createPoster(deps, signal);
  const target = requireTarget(deps);
  const first = await post(target, initializeRequest(), {});
  if (first.answer?.result === undefined) {
    const code = first.answer?.error?.code;
    const mayBeStateless = code !== undefined && (NOT_KNOWN.has(code) || first.status === 400);
    if (mayBeStateless) {
      const stateless = await openStateless(deps, post, target);
      if (stateless) return stateless;
    }
    throw explainAnswer(deps, first);
  }
  const description = describe(first.answer.result);
  const sessionId = first.sessionId;
  const headers = {
    'mcp-protocol-version': description.protocolVersion,
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  };
  await post(target, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  let counter = 0;
  return {
    description,
    async request(method, params) {
      counter += 1;
      const reply = await post(target, { jsonrpc: '2.0', id: `berth-${counter}`, method, params }, headers);
      return takeResult(deps, reply);
    },
    async close() {
      if (sessionId === undefined) return;
      await askServer
        .endSession(deps, { id: sessionId, version: description.protocolVersion })
        .catch(() => undefined);
    },
  };
}

async function openStateless(deps: AskingDeps, post: Poster, target: URL): Promise<Conversation | undefined> {
  const meta = {
    [`${META}protocolVersion`]: STATELESS_SINCE,
    [`${META}clientInfo`]: CLIENT,
    [`${META}clientCapabilities`]: {},
  };
  let counter = 0;
  const ask = (method: string, params: Record<string, unknown>): Promise<Reply> => {
    counter += 1;
    const message = { jsonrpc: '2.0', id: `berth-${counter}`, method, params: { ...params, _meta: meta } };
    return post(target, message, { 'mcp-protocol-version': STATELESS_SINCE, 'mcp-method': method });
  };
  const { answer } = await ask('server/discover', {});
  if (answer?.result === undefined) return undefined;
  const answered = answer.result._meta;
  const info =
    typeof answered === 'object' && answered !== null && `${META}serverInfo` in answered ? answered : {};
  const serverInfo = Object.entries(info).find(([name]) => name === `${META}serverInfo`)?.[1];
  const description = describe({
    serverInfo: serverInfo ?? answer.result.serverInfo,
    protocolVersion: STATELESS_SINCE,
  });
  return {
    description,
    request: async (method, params) => takeResult(deps, await ask(method, params)),
    close: async () => undefined,
  };
}

async function openSse(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
  const { options, pools } = deps;
  const target = requireTarget(deps);
  const stopper = new AbortController();
  const both = AbortSignal.any([signal, stopper.signal]);
  const post = createPoster(deps, both);
  const headers = {
    ...(await options.credentials?.()),
    accept: 'text/event-stream',
    host: options.hostHeader ?? target.host,
  };
  const path = target.pathname + target.search;
  const stream = await pools
    .find(target.origin)
    .request({ path, method: 'GET', headers, signal: both })
    .catch((error: unknown) => {
      throw unreachable(deps, error);
    });
  stream.body.on('error', () => undefined);
  if (stream.statusCode !== 200) {
    await stream.body.dump();
    throw explainAnswer(deps, {
      status: stream.statusCode,
      answer: undefined,
      sessionId: undefined,
      text: '',
    });
  }
  const events = readEvents(stream.body);
  const next = async (wanted: (type: string, data: Buffer) => boolean): Promise<Buffer> => {
    for (;;) {
      const step = await events.next().catch((error: unknown) => {
        throw unreachable(deps, error);
      });
      if (step.done) throw notMcp(deps, 'its event stream ended early');
      const { type, data } = step.value;
      if (data !== undefined && wanted(type, data)) return data;
    }
  };
  const close = async (): Promise<void> => {
    stopper.abort();
    stream.body.destroy();
  };
  try {
    const endpoint = new URL((await next((type) => type === 'endpoint')).toString('utf8').trim(), target);
    if (endpoint.origin !== target.origin) throw notMcp(deps, 'it names an endpoint of another origin');
    const ask = async (message: Record<string, unknown>): Promise<Answer> => {
      const { status } = await post(endpoint, message, {});
      if (status >= 300) throw notMcp(deps, `it answered a message with ${status}`);
      const data = await next((_type, text) => readAnswer(text.toString('utf8'))?.id === message.id);
      return readAnswer(data.toString('utf8')) ?? {};
    };
    const reply = (answer: Answer): Reply => ({ status: 200, answer, sessionId: undefined, text: '' });
    const description = describe(takeResult(deps, reply(await ask(initializeRequest('2024-11-05')))));
    await post(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' }, {});
    let counter = 0;
    return {
      description,
      async request(method, params) {
        counter += 1;
        return takeResult(deps, reply(await ask({ jsonrpc: '2.0', id: `berth-${counter}`, method, params })));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function initializeRequest(protocolVersion: string = NEWEST_WITH_SESSIONS): Record<string, unknown> {
  const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT };
  return { jsonrpc: '2.0', id: 'berth-initialize', method: 'initialize', params };
}

interface Reply {
  readonly status: number;
  readonly answer: Answer | undefined;
  readonly sessionId: string | undefined;
  /** Beginning of a body that was no answer. */
  readonly text: string;
}

type Poster = (
  url: URL,
  message: Record<string, unknown>,
  headers: Readonly<Record<string, string>>,
) => Promise<Reply>;

function createPoster(deps: AskingDeps, signal: AbortSignal): Poster {
  const { options, pools } = deps;
  return async (url, message, extra) => {
    const headers = {
      ...(await options.credentials?.()),
      ...extra,
      host: options.hostHeader ?? url.host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify(message);
    const path = url.pathname + url.search;
    try {
      const response = await pools.find(url.origin).request({ path, method: 'POST', headers, body, signal });
      const sessionId = readHeader(response.headers, 'mcp-session-id');
      const isSse = readHeader(response.headers, 'content-type')?.startsWith('text/event-stream') ?? false;
      const { status, answer, text } = isSse
        ? { status: response.statusCode, ...(await findAnswer(response.body, message.id)) }
        : { status: response.statusCode, ...(await readJsonAnswer(response.body)) };
      return { status, answer, sessionId, text };
    } catch (error) {
      if (error instanceof BerthError) throw error;
      throw unreachable(deps, error);
    }
  };
}

async function readJsonAnswer(body: Readable): Promise<Pick<Reply, 'answer' | 'text'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { answer: readAnswer(text), text: text.slice(0, 300) };
}

async function findAnswer(body: Readable, id: unknown): Promise<Pick<Reply, 'answer' | 'text'>> {
  for await (const { data } of readEvents(body)) {
    const answer = data === undefined ? undefined : readAnswer(data.toString('utf8'));
    if (answer?.id === id && (answer?.result ?? answer?.error) !== undefined) {
      body.destroy();
      return { answer, text: '' };
    }
  }
  return { answer: undefined, text: '' };
}

async function* readEvents(body: Readable): AsyncGenerator<{ type: string; data: Buffer | undefined }> {
  const splitter = createSseSplitter();
  for await (const chunk of body) for (const event of splitter.push(chunk)) yield readSseEvent(event);
}

function readAnswer(text: string): Answer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function describe(result: Readonly<Record<string, unknown>>): ServerDescription {
  const { name, version } = infoSchema.parse(result.serverInfo ?? {});
  const { protocolVersion } = result;
  return { name, version, protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : '' };
}

function takeResult(deps: AskingDeps, reply: Reply): Record<string, unknown> {
  if (reply.answer?.result === undefined) throw explainAnswer(deps, reply);
  return reply.answer.result;
}

function requireTarget({ options }: AskingDeps): URL {
  const target = options.target();
  if (target) return target;
  throw new BerthError('server_unreachable', 'The server is not running.', { fix: 'Look at its log.' });
}

function placeOf({ options }: AskingDeps): { url: string } {
  const target = options.target();
  return { url: target ? target.origin + target.pathname : '' };
}

function unreachable(deps: AskingDeps, error: unknown): BerthError {
  if (error instanceof BerthError) return error;
  return new BerthError('server_unreachable', `The server cannot be reached (${messageOf(error)}).`, {
    at: placeOf(deps),
    fix: 'Check that it listens there and speaks the chosen transport.',
    cause: error,
  });
}

function notMcp(deps: AskingDeps, what: string): BerthError {
  return new BerthError('server_not_mcp', `The server does not speak MCP here: ${what}.`, {
    at: placeOf(deps),
    fix: 'Check the URL or port, its path, and --transport.',
  });
}

function explainAnswer(deps: AskingDeps, { status, answer, text }: Reply): BerthError {
  if (status === 401 || status === 403) {
    return new BerthError('server_unauthorized', `The server refuses us with ${status}.`, {
      at: placeOf(deps),
      fix: 'Sign in to it with --remote-auth, or give a token.',
    });
  }
  if (answer?.error !== undefined) {
    return new BerthError('server_refused', `The server refuses: ${answer.error.message}`, {
      at: placeOf(deps),
      fix: 'Look at its log.',
    });
  }
  const shown = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120);
  return notMcp(
    deps,
    `it answered ${status}${shown === '' ? '' : ` ${JSON.stringify(shown)}`} to initialize`,
  );
}
