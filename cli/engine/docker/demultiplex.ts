import { type Readable, Writable } from 'node:stream';

/** Length of the header the engine puts before each piece: stream number, three zero bytes, length (big endian). */
const HEADER = 8;
const STDERR = 2;

/**
 * Takes apart the engine's stream of standard output and error. Back-pressure is kept: the container is held up while
 * one of the two is not read.
 *
 * @param onPiece writes a piece; the next one waits for its promise
 */
export function createDemultiplexer(
  onPiece: (piece: Buffer, isError: boolean) => Promise<void> | undefined,
): Writable {
  let header = Buffer.alloc(0);
  let left = 0;
  let isError = false;

  const take = async (chunk: Buffer): Promise<void> => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const missing = HEADER - header.length;
        header = Buffer.concat([header, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (header.length < HEADER) return;
        isError = header[0] === STDERR;
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const piece = rest.subarray(0, left);
        rest = rest.subarray(piece.length);
        left -= piece.length;
        await onPiece(piece, isError);
      }
    }
  };

  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void take(chunk).then(() => done(), done),
  });
}

/** Writes a piece and resolves when there is room for the next, or none is wanted any more. */
export function writePiece(target: Writable, piece: Buffer): Promise<void> | undefined {
  if (target.destroyed || target.write(piece)) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      target.off('drain', done);
      target.off('close', done);
      resolve();
    };
    target.on('drain', done);
    target.on('close', done);
  });
}

/** Reads a whole multiplexed stream as text, both streams in the order they came, at most `limit` bytes. */
export async function readPieces(stream: Readable, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  const apart = createDemultiplexer((piece) => {
    if (size < limit) pieces.push(piece.subarray(0, limit - size));
    size += piece.length;
    return undefined;
  });
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    apart.on('error', reject);
    apart.on('finish', resolve);
    stream.pipe(apart);
  });
  return Buffer.concat(pieces).toString('utf8');
}
