import { createReadStream } from 'node:fs';
import { BerthError } from '../../sources/errors.ts';

/**
 * The lines of a UTF-8 file, the last one with or without its line end.
 * @throws BerthError `overlay_file_unreadable`
 */
export async function* readFileLines(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (cause) {
    throw new BerthError('overlay_file_unreadable', 'The file cannot be read.', {
      at: { file },
      fix: 'Name a file that berth overlay export wrote.',
      cause,
    });
  }
  if (rest !== '') yield rest;
}
