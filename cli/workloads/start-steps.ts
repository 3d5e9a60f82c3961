import type { Writable } from 'node:stream';
import type { EngineProgress } from '../engine/engine.ts';
import { isTerminal } from '../is-colorful.ts';
import { showLink } from '../remote/show-link.ts';
import { showText } from '../show-text.ts';

/** How a person is told what `run` is doing (contract 1). */
export interface StartSteps {
  readonly isTerminal: boolean;
  /** Replaces what was shown; nothing at all without a terminal. */
  readonly show: (progress: EngineProgress) => void;
  /** One line that stays, with or without a terminal. */
  readonly warn: (line: string) => void;
  /** The link of a login, with or without a terminal. */
  readonly showLink: (url: string, opensBrowser: boolean) => void;
  /** Takes away what was shown. */
  readonly end: () => void;
}

const BAR = 24;
const CLEAR = '\r\u001b[K';

/** @param stream standard error: standard output is for the result alone */
export function createStartSteps(stream: Writable): StartSteps {
  const atTerminal = isTerminal(stream);
  const width = 'columns' in stream && typeof stream.columns === 'number' ? stream.columns : 80;
  let shown = false;
  const end = () => {
    if (shown) stream.write(CLEAR);
    shown = false;
  };
  return {
    isTerminal: atTerminal,
    show(progress) {
      if (!atTerminal) return;
      stream.write(`${CLEAR}${describe(progress).slice(0, width - 1)}`);
      shown = true;
    },
    warn(line) {
      end();
      stream.write(`${showText(line)}\n`);
    },
    showLink(url, opensBrowser) {
      end();
      showLink(stream, url, opensBrowser);
    },
    end,
  };
}

function describe({ text, done, total }: EngineProgress): string {
  const line = showText(text);
  if (done === undefined || total === undefined || total <= 0) return line;
  const part = Math.min(1, done / total);
  const full = Math.round(part * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.floor(part * 100)}% ${line}`;
}
