import { BerthError } from '../errors.ts';

export interface BodyBounds {
  /** Most bytes that may be read, after decompression. */
  readonly maxBytes: number;
  readonly host: string;
  /** Turns an error of the connection into the one to throw. */
  readonly mapError: (error: unknown) => unknown;
  /** Called once, when the body has ended, failed or was given up. */
  readonly onEnd: () => void;
}

/**
 * Passes a response body on while counting it.
 *
 * @throws (to the reader) BerthError `net_too_large` as soon as more than `maxBytes` have come
 */
export function boundBody(
  body: AsyncIterable<Uint8Array> & { cancel(reason?: unknown): Promise<void> },
  bounds: BodyBounds,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let read = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (next.done) {
          bounds.onEnd();
          controller.close();
          return;
        }
        read += next.value.byteLength;
        if (read > bounds.maxBytes) throw refuseSize(bounds.host, bounds.maxBytes);
        controller.enqueue(next.value);
      } catch (error) {
        bounds.onEnd();
        controller.error(bounds.mapError(error));
        await chunks.return?.();
      }
    },
    async cancel() {
      bounds.onEnd();
      await chunks.return?.();
    },
  });
}

/** The refusal of an answer that is larger than allowed. */
export function refuseSize(host: string, maxBytes: number): BerthError {
  return new BerthError('net_too_large', `The answer of ${host} is larger than ${maxBytes} bytes.`, {
    fix: 'Make the answer smaller, for example by splitting it.',
  });
}
