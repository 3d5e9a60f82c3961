import { BerthError } from '../../../sources/errors.ts';
import type { Message } from './message.ts';
import { LEGACY_REVISIONS, META, MODERN_REVISION, NEWEST_LEGACY } from './revisions.ts';

/** What the server said of itself. Texts are exactly its bytes. */
export interface Greeting {
  /** `modern` for a server that has no sessions at all. */
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: string;
  /** The whole result of `initialize`, or of `server/discover`. */
  readonly result: Buffer;
  readonly capabilitiesText: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** JSON text of `{name, version, …}`. */
  readonly serverInfoText: string;
  readonly name: string;
  readonly version: string;
  readonly instructionsText: string | undefined;
}

/** Asks the server on behalf of the proxy itself. Rejects when the connection ends. */
export type Ask = (method: string, params: unknown) => Promise<Message>;

const CLIENT_INFO = { name: 'berth', version: process.env.BERTH_VERSION ?? '0.0.0' };

/** `_meta` of the proxy's own requests to a server without sessions. */
export function ownMeta(): Record<string, unknown> {
  return {
    [META.protocolVersion]: MODERN_REVISION,
    [META.clientInfo]: CLIENT_INFO,
    [META.clientCapabilities]: {},
  };
}

/**
 * Initialises a server for all clients there will be: in the newest revision, with every capability a client may have.
 * A server that refuses is asked whether it only speaks the revision without sessions.
 *
 * @throws BerthError `server_refused` with the message of the server, `server_not_mcp`
 */
export async function shakeHands(ask: Ask): Promise<Greeting> {
  const answer = await ask('initialize', {
    protocolVersion: NEWEST_LEGACY,
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
    clientInfo: CLIENT_INFO,
  });
  if (answer.span('result') !== undefined) return readGreeting(answer, 'legacy');
  const discovery = await ask('server/discover', { _meta: ownMeta() });
  const result: unknown = discovery.read('result');
  if (isRecord(result) && Array.isArray(result.supportedVersions)) {
    if (result.supportedVersions.includes(MODERN_REVISION)) return readGreeting(discovery, 'modern');
  }
  throw new BerthError('server_refused', `The server refused to be initialised: ${readError(answer)}`);
}

function readGreeting(answer: Message, era: Greeting['era']): Greeting {
  const result: unknown = answer.read('result');
  if (!isRecord(result)) throw new BerthError('server_not_mcp', 'The result of initialize is no object.');
  const meta = isRecord(result._meta) ? result._meta : {};
  const info = era === 'legacy' ? result.serverInfo : meta[META.serverInfo];
  const serverInfo = isRecord(info) ? info : {};
  const protocolVersion = era === 'modern' ? MODERN_REVISION : result.protocolVersion;
  if (typeof protocolVersion !== 'string') {
    throw new BerthError(
      'server_not_mcp',
      'The server names no protocol version in its answer to initialize.',
    );
  }
  if (era === 'legacy' && !LEGACY_REVISIONS.some((revision) => revision === protocolVersion)) {
    throw new BerthError(
      'server_not_mcp',
      `The server speaks the unknown revision ${protocolVersion.slice(0, 40)}.`,
    );
  }
  const span = answer.span('result');
  const capabilities = isRecord(result.capabilities) ? result.capabilities : {};
  return {
    era,
    protocolVersion,
    result: Buffer.from(answer.bytes.subarray(span?.start, span?.end)),
    capabilitiesText: JSON.stringify(capabilities),
    capabilities,
    serverInfoText: JSON.stringify(serverInfo),
    name: typeof serverInfo.name === 'string' ? serverInfo.name : '',
    version: typeof serverInfo.version === 'string' ? serverInfo.version : '',
    instructionsText:
      typeof result.instructions === 'string' ? JSON.stringify(result.instructions) : undefined,
  };
}

/** What a server's error says, for people. */
export function readError(answer: Message): string {
  const error: unknown = answer.read('error');
  if (!isRecord(error)) return 'it gave no reason';
  return typeof error.message === 'string' ? error.message.slice(0, 2000) : `error ${String(error.code)}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
