import { showText } from '../show-text.ts';
import { readLogTail } from './read-log.ts';

const LINES = 15;
const WIDTH = 300;

/** What a server said last, short enough for an error message and harmless for a terminal. */
export async function readLastLines(path: string): Promise<string> {
  const tail = await readLogTail(path, LINES).catch(() => '');
  return tail
    .split('\n')
    .map((line) => showText(line.replace(/\r$/, '')))
    .map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line))
    .filter((line) => line.trim() !== '')
    .join('\n');
}
