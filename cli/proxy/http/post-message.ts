import type { Readable } from 'node:stream';
import { z } from 'zod';
import { BerthError } from '../../../sources/errors.ts';
import type { AskingDeps } from './asking-deps.ts';
import { unreachable } from './asking-errors.ts';
import { readHeader } from './client-headers.ts';
import { createSseSplitter, readSseEvent } from './sse-events.ts';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const answerSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

/** What came back for a message. */
export interface Reply {
  readonly status: number;
  readonly answer: Answer | undefined;
  readonly sessionId: string | undefined;
  /** Beginning of a body that was no answer. */
  readonly text: string;
}

export type Poster = (
  url: URL,
  message: Record<string, unknown>,
  headers: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Posts messages of the proxy itself. @throws BerthError `server_unreachable` */
export function createPoster(deps: AskingDeps, signal: AbortSignal): Poster {
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

/** The events of a stream, as they come. */
export async function* readEvents(
  body: Readable,
): AsyncGenerator<{ type: string; data: Buffer | undefined }> {
  const splitter = createSseSplitter();
  for await (const chunk of body) for (const event of splitter.push(chunk)) yield readSseEvent(event);
}

/** A JSON-RPC answer; undefined for any other text. */
export function readAnswer(text: string): Answer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
