/** A place in a text; both count from 1, the column in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const BLANK = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside strings
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;

/**
 * Where a text stops being JSON; undefined when it is JSON. The engine's own message leaves the place out or echoes
 * content, so it is of no use to whoever has to repair the file.
 */
export function locateJsonError(text: string): TextPosition | undefined {
  const at = findJsonError(text);
  return at === undefined ? undefined : positionAt(text, at);
}

/** The line and column of an offset. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Walks the text with the closing brackets that are still owed on a stack; answers the offset of the fault. */
function findJsonError(text: string): number | undefined {
  const owed: string[] = [];
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const take = (character: string): boolean => {
    skip(BLANK);
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  /** A member's key and colon when an object is open. */
  const takeKey = (): boolean => owed.at(-1) !== '}' || (skip(BLANK) && skip(STRING) && take(':'));

  for (;;) {
    // A value begins here.
    if (take('{')) {
      owed.push('}');
      if (!take('}')) {
        if (!takeKey()) return at;
        continue;
      }
      owed.pop();
    } else if (take('[')) {
      owed.push(']');
      if (!take(']')) continue;
      owed.pop();
    } else if (!skip(STRING) && !skip(SCALAR)) {
      return at;
    }
    // A value has ended: close what closes, then a comma or the end.
    let close = owed.at(-1);
    while (close !== undefined && take(close)) {
      owed.pop();
      close = owed.at(-1);
    }
    if (close === undefined) {
      skip(BLANK);
      return at === text.length ? undefined : at;
    }
    if (!take(',') || !takeKey()) return at;
  }
}
