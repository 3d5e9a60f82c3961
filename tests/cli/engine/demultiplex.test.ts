import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDemultiplexer, readPieces, writePiece } from '../../../cli/engine/docker/demultiplex.ts';

function frame(stream: number, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(data.length, 4);
  return Buffer.concat([header, data]);
}

it('takes streams apart however they are cut', async () => {
  const pieces = fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 40 })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 30 }), async (frames, size) => {
      const whole = Buffer.concat(frames.map(([isError, data]) => frame(isError ? 2 : 1, Buffer.from(data))));
      const got = { out: [] as Buffer[], error: [] as Buffer[] };
      const apart = createDemultiplexer((piece, isError) => {
        got[isError ? 'error' : 'out'].push(piece);
        return undefined;
      });
      for (let at = 0; at < whole.length; at += size) apart.write(whole.subarray(at, at + size));
      await new Promise<void>((resolve) => apart.end(resolve));
      const expected = (wanted: boolean) =>
        Buffer.concat(frames.filter(([isError]) => isError === wanted).map(([, data]) => Buffer.from(data)));
      expect(Buffer.concat(got.out)).toEqual(expected(false));
      expect(Buffer.concat(got.error)).toEqual(expected(true));
    }),
    { numRuns: 60 },
  );
});

it('waits for a reader, so that a container is held up rather than memory filled', async () => {
  const target = new PassThrough({ highWaterMark: 1_000 });
  const apart = createDemultiplexer((piece) => writePiece(target, piece));
  let accepted = 0;
  const feed = (): void => {
    while (accepted < 500 && apart.write(frame(1, Buffer.alloc(1_000)))) accepted++;
  };
  apart.on('drain', feed);
  feed();
  expect(accepted).toBeLessThan(100);
  let read = 0;
  target.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  await new Promise<void>((resolve) => {
    apart.on('drain', () => {
      if (accepted === 500) resolve();
    });
  });
  expect(read).toBeGreaterThan(400_000);
});

it('reads at most what it is told to', async () => {
  const stream = Readable.from([frame(1, Buffer.from('abc')), frame(2, Buffer.from('defg'))]);
  expect(await readPieces(stream, 5)).toBe('abcde');
});
