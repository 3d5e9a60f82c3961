import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** The lines of a stream as bytes, without their newline; blank ones are left out. */
export async function* splitLines(input: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...pieces, rest.subarray(0, at)]);
      pieces = [];
      rest = rest.subarray(at + 1);
      if (!isBlank(line)) yield line;
    }
    pieces.push(rest);
  }
  const last = Buffer.concat(pieces);
  if (!isBlank(last)) yield last;
}

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}
