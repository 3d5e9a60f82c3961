import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Exchange } from '../exchange.ts';
import { answerBroken, readRequestId } from './answer-failure.ts';
import { type AnswerHeaders, readHeader } from './client-headers.ts';
import { filterBody, filterMessage } from './filter-message.ts';
import { isEventStream, writeHead } from './relay.ts';
import type { AnswerPlan } from './send-upstream.ts';
import { createSseSplitter, readSseEvent, replaceSseData } from './sse-events.ts';

/** An answer that has to be read before it goes on must fit into memory. */
const MAX_READ_BYTES = 128 * 1024 * 1024;

/** What becomes of one whole event: the bytes for the client; undefined ends the stream. */
export type EventRewriter = (event: Buffer) => Promise<Buffer | undefined> | Buffer | undefined;

/** Takes the body of an answer whose messages links want to see: JSON as a whole, events one by one. */
export function relayFiltered(exchange: Exchange, status: number, headers: AnswerHeaders): AnswerPlan {
  if (isEventStream(headers)) return relayEvents(exchange, status, headers, filterEvent(exchange));
  const encoding = readHeader(headers, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    return async (body) => {
      body.resume();
      answerBroken(
        exchange,
        readRequestId(exchange, undefined),
        'The server compresses answers although it was asked not to.',
      );
    };
  }
  return {
    maxBytes: MAX_READ_BYTES,
    async whole(body) {
      const filtered = body.length === 0 ? body : await filterBody(body, exchange);
      const { response } = exchange;
      if (response.headersSent || response.destroyed) return;
      writeHead(response, status, headers, { 'content-length': String(filtered.length) });
      response.end(filtered);
    },
  };
}

/** Takes a stream of events, each whole before it goes on. */
export function relayEvents(
  { response }: Exchange,
  status: number,
  headers: AnswerHeaders,
  rewrite: EventRewriter,
): (body: Readable) => Promise<void> {
  writeHead(response, status, headers, { 'content-length': undefined });
  response.flushHeaders();
  return async (body) => {
    const splitter = createSseSplitter();
    const signal = closing(response);
    const send = async (piece: Buffer): Promise<void> => {
      if (piece.length > 0 && !response.write(piece)) await once(response, 'drain', { signal });
    };
    for await (const chunk of body) {
      for (const event of splitter.push(chunk)) {
        const rewritten = await rewrite(event);
        if (rewritten === undefined) {
          response.end();
          body.destroy();
          return;
        }
        await send(rewritten);
      }
    }
    await send(splitter.rest());
    response.end();
  };
}

/** Filters the data of each event. */
export function filterEvent(
  readers: Pick<Exchange, 'answerFilters' | 'answerObservers'>,
): (event: Buffer) => Promise<Buffer> {
  return async (event) => {
    const { data } = readSseEvent(event);
    if (data === undefined || data.length === 0) return event;
    const filtered = await filterMessage(data, readers);
    return filtered === data ? event : replaceSseData(event, filtered);
  };
}

function closing(response: Exchange['response']): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
