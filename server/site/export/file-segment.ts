import { hash } from 'node:crypto';

/** What needs no escape in a URL, nor in the name of a file on any system. */
const PLAIN = /[A-Za-z0-9._-]/;
const LONGEST = 180;

/**
 * A name as one segment of a path that is the same in the file system and in a URL. Other characters are written as
 * `~` and the hexadecimal of their bytes, so that two names never share a segment and none leads elsewhere.
 */
export function fileSegment(name: string): string {
  const written = [...name].map((char) => (PLAIN.test(char) ? char : escapeChar(char))).join('');
  const safe = /^\.|\.$/.test(written) || /^index\.html$/i.test(written) ? escapeEnds(written) : written;
  if (safe.length <= LONGEST) return safe;
  return `${safe.slice(0, LONGEST)}~~${hash('sha256', name, 'hex').slice(0, 32)}`;
}

function escapeChar(char: string): string {
  return [...Buffer.from(char)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Hidden files, `..`, names Windows would cut, and the page of the folder itself. */
function escapeEnds(text: string): string {
  const last = text.endsWith('.') && text.length > 1 ? `${text.slice(0, -1)}${escapeChar('.')}` : text;
  return `${escapeChar(last.slice(0, 1))}${last.slice(1)}`;
}
