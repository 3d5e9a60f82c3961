import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** contract 5. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Raised by whoever reads a body that goes over the limit; the stage `body-limit` answers it with 413. */
export class BodyTooLargeError extends Error {
  constructor() {
    super('The request body is longer than 8 MiB.');
    this.name = 'BodyTooLargeError';
  }
}

/** The client went away in the middle of its request: nobody is left to answer. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client closed its connection before the request was complete.');
    this.name = 'ClientGoneError';
  }
}

/** Whether the request says by itself that its body is too long. */
export function announcesTooMuch(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > MAX_BODY_BYTES;
}

/**
 * Reads a whole body. The rest of one that is too long is left unread, so that it can be answered at once.
 *
 * @throws BodyTooLargeError, ClientGoneError
 */
export function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      settle();
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > MAX_BODY_BYTES) finish(() => reject(new BodyTooLargeError()));
    };
    const onEnd = (): void => {
      const only = chunks.length === 1 ? chunks[0] : undefined;
      finish(() => resolve(only ?? Buffer.concat(chunks)));
    };
    const onClose = (): void => finish(() => reject(new ClientGoneError()));
    if (request.readableEnded) return resolve(Buffer.alloc(0));
    if (request.destroyed) return reject(new ClientGoneError());
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** What is known of a body after its first bytes came. */
export interface BegunBody {
  /** Its first bytes; empty for no body. */
  readonly head: Buffer;
  /** True when the head is all of it. */
  readonly isComplete: boolean;
}

/**
 * Reads as much of a body as tells what it begins with, or all of it when it says that it is short.
 *
 * @param wholeUpTo bodies that announce at most this length are read to their end
 * @throws BodyTooLargeError, ClientGoneError
 */
export async function beginBody(request: IncomingMessage, wholeUpTo: number): Promise<BegunBody> {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) {
    return { head: Buffer.alloc(0), isComplete: true };
  }
  if (announced !== undefined && Number(announced) <= wholeUpTo) {
    return { head: await readRequestBody(request), isComplete: true };
  }
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      settle();
    };
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      // Nothing but blanks says nothing yet; a kilobyte of them is enough to stop waiting.
      if (!/\S/.test(chunk.toString('latin1')) && Buffer.concat(chunks).length < 1024) return;
      request.pause();
      finish(() => resolve({ head: Buffer.concat(chunks), isComplete: false }));
    };
    const onEnd = (): void => finish(() => resolve({ head: Buffer.concat(chunks), isComplete: true }));
    const onClose = (): void => finish(() => reject(new ClientGoneError()));
    if (request.destroyed) return reject(new ClientGoneError());
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * A body as a stream of its own: what became of the stream does not end the client's connection, so that it can
 * still be answered. Reads from the client only as fast as the stream is read.
 *
 * @param head what was read of it already
 */
export function streamBody(request: IncomingMessage, head: Buffer): Readable {
  let length = head.length;
  let begun = false;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) stream.destroy(new BodyTooLargeError());
    else if (!stream.push(chunk)) request.pause();
  };
  const onEnd = (): void => {
    stream.push(null);
  };
  const onClose = (): void => {
    if (!request.readableEnded) stream.destroy(new ClientGoneError());
  };
  const stream = new Readable({
    read() {
      if (!begun) {
        begun = true;
        request.on('data', onData).on('end', onEnd).on('close', onClose);
        if (!stream.push(head)) {
          request.pause();
          return;
        }
      }
      request.resume();
    },
    destroy(error, done) {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      request.pause();
      done(error);
    },
  });
  return stream;
}
