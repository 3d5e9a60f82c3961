import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../../server/auth/identity.ts';

/** A JSON-RPC message that was read for policy: only what policy needs, next to the exact bytes. */
export interface McpRequest {
  /** The bytes as received, or as the last stage left them. Sent on as they are. */
  readonly body: Buffer;
  /** The parsed body; an array for a batch. Never changed in place. */
  readonly message: unknown;
  readonly isBatch: boolean;
  /** Absent for notifications, answers and batches. */
  readonly id: string | number | null | undefined;
  /** Absent for answers of the client and for batches. */
  readonly method: string | undefined;
  /** `params` when it is an object. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Tool or prompt name, resource URI; undefined for other methods. */
  readonly target: string | undefined;
}

/**
 * Looks at or changes one JSON-RPC message of an answer (a JSON body or the data of one SSE event, whatever connection
 * it comes on). Answers the bytes to send: the same buffer when nothing changes.
 */
export type AnswerFilter = (message: Buffer) => Buffer | Promise<Buffer>;

/** One HTTP request on its way through the chain. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  readonly requestId: string;
  /** `performance.now()` of the arrival. */
  readonly startedAt: number;
  /** Of the peer, or from `X-Forwarded-For` when proxy headers are trusted. */
  readonly clientAddress: string;
  /** The MCP session the request names; undefined when it names none. */
  readonly sessionId: string | undefined;
  /** Set by authentication; undefined while the proxy does not authenticate. */
  identity: Identity | undefined;
  /** Claims of the validated token; empty without one. */
  claims: Readonly<Record<string, unknown>>;
  /** The raw token that came in, for token exchange only. Never logged. */
  bearer: string | undefined;
  /** Set by the stage `mcp` for POST requests when any stage needs it; replaced (never changed) by stages that rewrite. */
  mcp: McpRequest | undefined;
  /** Headers for the server on top of those of the client, lower case; null removes one. */
  readonly outgoing: Map<string, string | null>;
  /** Applied in order to every message of the answer. Empty: the answer is streamed through untouched. */
  readonly answerFilters: AnswerFilter[];
  /**
   * Told every JSON-RPC message the client gets as the answer, after the filters. Empty: nothing is parsed.
   */
  readonly answerObservers: ((message: Buffer) => void)[];
  /** `deliver` of the backend for this exchange. Absent: answers come with the request. */
  readonly deliver?: (message: Buffer) => boolean;
  /** For audit, telemetry and webhooks: what the exchange came to. */
  readonly outcome: ExchangeOutcome;
}

export interface ExchangeOutcome {
  /** Why a stage refused, as a stable code (`denied_by_policy`, `tool_not_found`, …); undefined when none did. */
  refusal: string | undefined;
  /** Decisions to be named in the audit (for example ids of Cedar policies). */
  readonly notes: Record<string, unknown>;
}

/** One link of the chain. It answers itself, or calls `next` once. */
export type Stage = (exchange: Exchange, next: () => Promise<void>) => Promise<void>;

/** The names of the links, in the order of contract 5. The one list of it. */
export const CHAIN_ORDER = [
  'body-limit',
  'recovery',
  'origin',
  'audit',
  'telemetry',
  'authentication',
  'mcp',
  'tools',
  'mutating-webhooks',
  'tools-again',
  'validating-webhooks',
  'authorization',
  'token-exchange',
  'outgoing-headers',
] as const;
export type StageName = (typeof CHAIN_ORDER)[number];

/** A tool as the server lists it; other members are kept as they came. */
export interface ListedTool {
  readonly name: string;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** What a server says of itself when it is first asked. */
export interface ServerDescription {
  readonly name: string;
  readonly version: string;
  /** The revision that was agreed on. */
  readonly protocolVersion: string;
}

/** What stands at the end of the chain: the server of the workload. */
export interface Backend {
  /** Sends the exchange on and answers it. Answers itself (503 with `Retry-After`) while the server is away. */
  handle(exchange: Exchange): Promise<void>;
  /**
   * Asks once whether the server answers MCP: `initialize`, and `server/discover` where that is unknown.
   *
   * @throws BerthError `server_unreachable`, `server_refused` (with its message), `server_not_mcp`, `server_unauthorized`
   */
  probe(signal: AbortSignal): Promise<ServerDescription>;
  /** Every tool of the server, all pages, asked by the proxy itself and without its filters. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  /**
   * Whether a path besides the client's belongs to the server: where clients of SSE post their messages, as the
   * `endpoint` event named it. Absent: no other path does.
   */
  owns?(path: string): boolean;
  /**
   * Sends the proxy's own answer to the client of an exchange whose answers come on another stream (HTTP+SSE), and
   * accepts the request itself. Answers false when answers come with the request, as they do where this is absent.
   */
  deliver?(exchange: Exchange, message: Buffer): boolean;
  /** Whether the server could be asked just now, for `/health`. Absent: it is taken to be there. */
  isAvailable?(): boolean;
  close(): Promise<void>;
}

/** What the governed rooms (policy, telemetry, remote) contribute: links by name, whether the body must be parsed, and what to end. */
export interface Contribution {
  readonly stages: Partial<Record<StageName, Stage>>;
  /** True when a stage reads `exchange.mcp`. */
  readonly needsMcp: boolean;
  /** Requests outside the MCP endpoint, by exact path (`/metrics`); they pass host and origin checks only. */
  readonly routes?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** Flushes and frees. */
  close(): Promise<void>;
}
