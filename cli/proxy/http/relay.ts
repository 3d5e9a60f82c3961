import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange.ts';
import { BodyTooLargeError, ClientGoneError } from '../request-body.ts';
import { answerAway, answerBroken, formatLostCall, isAway, readRequestId } from './answer-failure.ts';
import { type AnswerHeaders, buildClientHeaders, readHeader } from './client-headers.ts';
import type { HttpBackendOptions } from './http-backend-options.ts';
import { type AnswerPlan, sendUpstream, UpstreamError } from './send-upstream.ts';
import { toTarget } from './sse-endpoint.ts';
import { buildUpstreamHeaders, wantsPlain } from './upstream-headers.ts';
import type { UpstreamPools } from './upstream-pools.ts';

const MAX_REDIRECTS = 5;
const NO_SIGN_IN = 'The server cannot be used at the moment: there is no valid sign-in to it.';
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface Relayed {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body: Buffer | Readable | null;
  /** The body, or its beginning, for naming the request in an error. */
  readonly head: Buffer | undefined;
  /**
   * Told the head of the answer before the client is; says how its body is taken. Absent or undefined: it is streamed.
   */
  readonly onHead?: (status: number, headers: AnswerHeaders) => AnswerPlan | undefined;
  /** Ask for an answer that is not compressed. */
  readonly plain?: boolean;
  /** A status other than the server's. */
  readonly statusFor?: (status: number) => number;
}

/** Sends an exchange to the server and back, and answers itself when that fails. */
export type Relay = (exchange: Exchange, relayed: Relayed) => Promise<void>;

export interface RelayDeps {
  readonly options: HttpBackendOptions;
  readonly pools: UpstreamPools;
  /** Told whether the server could be reached. */
  readonly noteReached: (reached: boolean) => void;
}

/** Prepares the way to the server (contract 5). Redirects are followed within the origin only. */
export function createRelay({ options, pools, noteReached }: RelayDeps): Relay {
  const readCredentials = async (): Promise<Readonly<Record<string, string>> | undefined> => {
    try {
      return (await options.credentials?.()) ?? {};
    } catch (error) {
      options.log('warn', { error: String(error) }, 'the credentials for the server cannot be had');
      return undefined;
    }
  };
  return async (exchange, relayed) => {
    const id = () => readRequestId(exchange, relayed.head);
    let credentials = options.credentials === undefined ? {} : await readCredentials();
    if (credentials === undefined) {
      answerAway(exchange, id(), NO_SIGN_IN);
      return;
    }
    let hasRenewed = false;
    let url = relayed.url;
    for (let hop = 0; ; hop += 1) {
      let next: URL | 'foreign' | undefined;
      let isEvents = false;
      let isRefused = false;
      const decide = (status: number, headers: AnswerHeaders): AnswerPlan => {
        noteReached(true);
        isEvents = isEventStream(headers);
        if (REDIRECTS.has(status) && headers.location !== undefined) {
          next = followWithin(url, readHeader(headers, 'location'), options.hostHeader);
          return 'drop';
        }
        if (status === 401) {
          isRefused = options.renewCredentials !== undefined;
          if (!isRefused || hasRenewed) options.onUnauthorized?.(readHeader(headers, 'www-authenticate'));
          if (isRefused) return 'drop';
        }
        return relayed.onHead?.(status, headers) ?? beginStream(exchange, relayed, status, headers);
      };
      try {
        await sendUpstream(
          {
            dispatcher: pools.find(url.origin),
            origin: url.origin,
            path: url.pathname + url.search,
            method: relayed.method,
            headers: buildUpstreamHeaders(exchange, {
              host: options.hostHeader ?? url.host,
              target: url,
              isRemote: options.isRemote,
              proxy: options.proxy,
              credentials,
              plain: relayed.plain === true || wantsPlain(exchange),
            }),
            body: relayed.body,
          },
          exchange,
          decide,
        );
      } catch (error) {
        const cause = error instanceof UpstreamError ? error.cause : error;
        if (cause instanceof BodyTooLargeError || cause instanceof ClientGoneError) throw cause;
        if (!(error instanceof UpstreamError)) throw error;
        noteReached(!isAway(error) && error.hasBegun);
        options.log(
          'warn',
          { requestId: exchange.requestId, error: error.message },
          'the server did not answer',
        );
        answerFailure(exchange, error, isEvents, id());
        return;
      }
      if (isRefused) {
        const isNew = !hasRenewed && (await options.renewCredentials?.()) === true;
        credentials = isNew && !isSpent(relayed.body) ? await readCredentials() : undefined;
        if (credentials === undefined) {
          answerAway(exchange, id(), NO_SIGN_IN);
          return;
        }
        hasRenewed = true;
        continue;
      }
      if (next === undefined) return;
      if (next === 'foreign' || hop >= MAX_REDIRECTS || isSpent(relayed.body)) {
        answerBroken(exchange, id(), 'The server redirects to a place that is not followed.');
        return;
      }
      url = next;
    }
  };
}

/** Writes the head of an answer that is streamed through. */
export function beginStream(
  { response }: Exchange,
  { statusFor }: Pick<Relayed, 'statusFor'>,
  status: number,
  headers: AnswerHeaders,
): 'stream' {
  writeHead(response, statusFor?.(status) ?? status, headers);
  if (isEventStream(headers)) response.flushHeaders();
  else {
    // Head and body of a short answer leave in one packet.
    response.cork();
    process.nextTick(() => response.uncork());
  }
  return 'stream';
}

/** Writes status and headers of a server's answer. @param changed headers that differ; undefined removes one */
export function writeHead(
  response: Exchange['response'],
  status: number,
  headers: AnswerHeaders,
  changed: Readonly<Record<string, string | undefined>> = {},
): void {
  const own = response.getHeader('vary');
  const kept = buildClientHeaders(headers, own === undefined ? undefined : String(own));
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  }
  if (status === 204) delete kept['content-length'];
  response.writeHead(status, kept);
}

export function isEventStream(headers: AnswerHeaders): boolean {
  return readHeader(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;
}

function answerFailure(
  exchange: Exchange,
  error: UpstreamError,
  isEvents: boolean,
  id: ReturnType<typeof readRequestId>,
): void {
  const { response } = exchange;
  if (!response.headersSent) {
    if (isAway(error)) answerAway(exchange, id);
    else answerBroken(exchange, id, 'The server closed the connection before it answered.');
  } else if (!isEvents) response.destroy();
  // Only the caller of a method waits for an answer; other streams just end.
  else if (id === null || id === undefined) response.end();
  else response.end(`\n\n${formatLostCall(id)}`);
}

function followWithin(
  from: URL,
  location: string | undefined,
  hostHeader: string | undefined,
): URL | 'foreign' {
  if (location === undefined || !URL.canParse(location, from.href)) return 'foreign';
  return toTarget(new URL(location, from), from, hostHeader) ?? 'foreign';
}

function isSpent(body: Relayed['body']): boolean {
  return body !== null && !Buffer.isBuffer(body);
}
