import type { Exchange } from '../exchange.ts';
import { CODES } from './codes.ts';
import { decodeHeader } from './decode-header.ts';
import { findMismatch, type HeaderArgument } from './header-arguments.ts';
import type { Message } from './message.ts';
import type { Refusal } from './refuse.ts';
import { META, MODERN_REVISION } from './revisions.ts';
import { isRecord } from './shake-hands.ts';

/** What a request of the revision without sessions says of its sender. */
export interface RequestMeta {
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Log messages are sent only when it asks for a level. */
  readonly logLevel: string | undefined;
}

/** Which member of `params` the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Whether a request belongs to the revision without sessions: by its `_meta`, or by its header. */
export function isModern(exchange: Exchange, message: Message | undefined): boolean {
  const meta: unknown = message?.span('meta') === undefined ? undefined : message.read('meta');
  if (isRecord(meta) && meta[META.protocolVersion] !== undefined) return true;
  if (message?.method === 'initialize') return false;
  const header = exchange.request.headers['mcp-protocol-version'];
  return typeof header === 'string' && /^\d{4}-\d\d-\d\d$/.test(header) && header >= MODERN_REVISION;
}

/**
 * Checks the headers and `_meta` that revision 2026-07-28 wants with every request (contract 8, Proxy).
 *
 * @param supported revisions to name to a client that asks for another
 */
export function checkModern(
  exchange: Exchange,
  message: Message,
  supported: readonly string[],
): RequestMeta | Refusal {
  const meta: unknown = message.read('meta');
  const members = isRecord(meta) ? meta : {};
  const version = members[META.protocolVersion];
  const capabilities = members[META.clientCapabilities];
  if (typeof version !== 'string' || !isRecord(capabilities)) {
    const missing = typeof version === 'string' ? META.clientCapabilities : META.protocolVersion;
    return refusal(CODES.invalidParams, `Invalid params: _meta lacks ${missing}.`);
  }
  if (readHeader(exchange, 'mcp-protocol-version') !== version) return mismatch('MCP-Protocol-Version');
  if (version !== MODERN_REVISION) {
    return {
      ...refusal(CODES.unsupportedVersion, 'Unsupported protocol version.'),
      data: { supported, requested: version },
    };
  }
  if (readHeader(exchange, 'mcp-method') !== message.method) return mismatch('Mcp-Method');
  const member = Object.hasOwn(NAMED, message.method ?? '') ? NAMED[message.method ?? ''] : undefined;
  const name = member && message.string(member);
  if (name !== undefined && decodeHeader(readHeader(exchange, 'mcp-name')) !== name)
    return mismatch('Mcp-Name');
  const logLevel = members[META.logLevel];
  return { capabilities, logLevel: typeof logLevel === 'string' ? logLevel : undefined };
}

/** Checks the headers `Mcp-Param-*` of a call against its arguments. Undefined when they agree. */
export function checkParameters(
  exchange: Exchange,
  message: Message,
  wanted: readonly HeaderArgument[],
): Refusal | undefined {
  const given: unknown = wanted.length === 0 ? undefined : message.read('arguments');
  const header = findMismatch(wanted, given, (name) => readHeader(exchange, name));
  return header === undefined ? undefined : mismatch(header.replace(/^mcp-param/, 'Mcp-Param'));
}

function mismatch(header: string): Refusal {
  return refusal(CODES.headerMismatch, `Header mismatch: ${header} does not say what the body says.`);
}

function refusal(code: number, message: string): Refusal {
  return { status: 400, code, message };
}

/** A header as the links of the chain left it. */
function readHeader({ request, outgoing }: Exchange, name: string): string | undefined {
  const changed = outgoing.get(name);
  if (changed !== undefined) return changed ?? undefined;
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
