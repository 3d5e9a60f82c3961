import type { IncomingMessage } from 'node:http';
import { HttpError } from './problem.ts';

/**
 * A body that is longer by no more than this is read to its end and forgotten: a client that is still sending when the
 * connection closes may lose the answer.
 */
const LINGER_BYTES = 65_536;

/**
 * Reads a whole request body, but keeps never more than `maxBytes` of it (contract 9). A declared length over the limit is
 * refused before anything is read.
 * @param source a Web `Request` or a Node request
 * @throws HttpError 413 `body_too_large` (with `Connection: close`, so that the rest is not read either);
 *   400 `body_incomplete` when the client goes away in the middle
 */
export async function readBody(source: Request | IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const web = source instanceof Request;
  const declared = Number(web ? source.headers.get('content-length') : source.headers['content-length']);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const stream: AsyncIterable<Uint8Array> | null = web ? source.body : source;
  return stream === null ? new Uint8Array() : collect(stream, maxBytes);
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > maxBytes + LINGER_BYTES) throw tooLarge(maxBytes);
      if (size <= maxBytes) chunks.push(chunk);
    }
    if (size > maxBytes) throw tooLarge(maxBytes);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError(400, 'body_incomplete', 'The body ended before it was complete.', { cause });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, 'body_too_large', `The body is larger than ${maxBytes} bytes.`, {
    headers: { Connection: 'close' },
  });
}
