import { StringDecoder } from 'node:string_decoder';

const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * The lines of a stream, as soon as each is complete. What stands behind the last line end is dropped: the stream broke
 * off in it.
 * @throws RangeError for a line of more than 16 Mi characters
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new RangeError('a line of the watch is too long');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
