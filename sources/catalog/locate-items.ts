const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;

/**
 * The lines (from 1) on which the items of the array at `path` begin, in a text that is known to be valid JSON. For
 * something that is no array: the one line it begins on. Empty when nothing is there. One pass over the text.
 */
export function locateItems(text: string, path: readonly string[]): readonly number[] {
  let start: number | undefined = skipBlank(text, 0);
  for (const key of path) {
    start = findMember(text, start, key);
    if (start === undefined) return [];
  }
  return linesOf(text, text.charCodeAt(start) === OPEN_ARRAY ? itemStarts(text, start) : [start]);
}

/** The offset of a member's value; the last one when the key is repeated, as JSON.parse has it. */
function findMember(text: string, object: number, wanted: string): number | undefined {
  if (text.charCodeAt(object) !== OPEN_OBJECT) return undefined;
  let found: number | undefined;
  let at = skipBlank(text, object + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    at = skipBlank(text, keyEnd);
    if (text.charCodeAt(at) === COLON) at = skipBlank(text, at + 1);
    if (key === wanted) found = at;
    at = skipComma(text, skipValue(text, at));
  }
  return found;
}

function itemStarts(text: string, array: number): readonly number[] {
  const starts: number[] = [];
  let at = skipBlank(text, array + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY) {
    starts.push(at);
    at = skipComma(text, skipValue(text, at));
  }
  return starts;
}

function linesOf(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return offsets.map((offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  });
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

function skipComma(text: string, from: number): number {
  const at = skipBlank(text, from);
  return text.charCodeAt(at) === COMMA ? skipBlank(text, at + 1) : at;
}

/** The offset behind the string that begins at `from`. */
function skipString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

/** The offset behind the value that begins at `from`. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (depth <= 1) return depth === 0 ? at : at + 1;
      depth--;
    } else if (code === COMMA && depth === 0) return at;
    at++;
  }
  return at;
}
