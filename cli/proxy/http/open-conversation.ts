import { z } from 'zod';
import type { ServerDescription } from '../exchange.ts';
import type { AskingDeps } from './asking-deps.ts';
import { explainAnswer, requireTarget, takeResult } from './asking-errors.ts';
import { endSession } from './end-session.ts';
import { createPoster, type Poster, type Reply } from './post-message.ts';
import { NEWEST_WITH_SESSIONS, STATELESS_SINCE } from './revisions.ts';

/** JSON-RPC error codes by which a server says that it does not know `initialize`, or not in that revision. */
const NOT_KNOWN: ReadonlySet<number> = new Set([-32601, -32022, -32004]);
const CLIENT = { name: 'berth', version: '1' };
const META = 'io.modelcontextprotocol/';

const infoSchema = z.looseObject({ name: z.string().default(''), version: z.string().default('') });

/** A server that has shaken hands with the proxy itself. */
export interface Conversation {
  readonly description: ServerDescription;
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Shakes hands over streamable HTTP, in whichever revision the server speaks.
 *
 * @throws BerthError `server_unreachable`, `server_refused`, `server_not_mcp`, `server_unauthorized`
 */
export async function openStreamable(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
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
      await endSession(deps, { id: sessionId, version: description.protocolVersion }).catch(() => undefined);
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

export function initializeRequest(protocolVersion: string = NEWEST_WITH_SESSIONS): Record<string, unknown> {
  const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT };
  return { jsonrpc: '2.0', id: 'berth-initialize', method: 'initialize', params };
}

/** Reads who the server is from the result of its handshake. */
export function describe(result: Readonly<Record<string, unknown>>): ServerDescription {
  const { name, version } = infoSchema.parse(result.serverInfo ?? {});
  const { protocolVersion } = result;
  return { name, version, protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : '' };
}
