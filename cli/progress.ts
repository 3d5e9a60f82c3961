import type { Writable } from 'node:stream';
import { isTerminal } from './is-colorful.ts';

export interface Progress {
  readonly step: () => void;
  readonly end: () => void;
}

/** A line that counts up at a terminal; nothing at all elsewhere, so that logs stay clean. */
export function createProgress(stream: Writable, total: number, what: string): Progress {
  if (!isTerminal(stream) || total < 2) return { step: () => {}, end: () => {} };
  let done = 0;
  const show = () => stream.write(`\r${done}/${total} ${what}`);
  show();
  return {
    step: () => {
      done++;
      show();
    },
    end: () => stream.write('\r\u001b[K'),
  };
}
