export interface JsonPosition {
  /** Both count from 1; the column counts UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What may come next: a value, a value or `]`, a key or `}`, a key, `:`, a comma or the closing bracket, the end. */
type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'comma' | 'end';

/**
 * Where a JSON text stops being JSON; undefined when it is valid. The engine's own message is of no use to a client:
 * it echoes content and leaves out the position.
 */
export function locateJsonError(text: string): JsonPosition | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let offset = endOf(BLANK, text, 0);
  while (offset < text.length) {
    const token = text[offset] ?? '';
    const end = endOfToken(text, offset);
    const next: Expected | undefined = end === undefined ? undefined : advance(expected, token, open);
    if (end === undefined || next === undefined) return placeOf(text, offset);
    expected = next;
    offset = endOf(BLANK, text, end);
  }
  return expected === 'end' ? undefined : placeOf(text, offset);
}

/** Where the token that starts at `offset` ends; undefined when none does. */
function endOfToken(text: string, offset: number): number | undefined {
  const first = text[offset] ?? '';
  if ('{}[],:'.includes(first)) return offset + 1;
  if (first === '"') return endOfString(text, offset);
  const end = endOf(SCALAR, text, offset);
  return end > offset ? end : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  let offset = start + 1;
  while (offset < text.length) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x22) return offset + 1;
    if (unit < 0x20) return undefined;
    const next = unit === 0x5c ? endOf(ESCAPE, text, offset) : offset + 1;
    if (next === offset) return undefined;
    offset = next;
  }
  return undefined;
}

/** Where a sticky pattern that starts at `offset` ends; `offset` itself when it does not match. */
function endOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

/** @param token the first character of the token, which tells what it is */
function advance(expected: Expected, token: string, open: string[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');
  switch (expected) {
    case 'value':
    case 'first-item':
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first-key' : 'first-item';
      }
      if (token === ']' && expected === 'first-item') return close(open, afterValue);
      return ']},:'.includes(token) ? undefined : afterValue();
    case 'first-key':
    case 'key':
      if (token === '}' && expected === 'first-key') return close(open, afterValue);
      return token === '"' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma': {
      const inObject = open.at(-1) === '{';
      if (token === ',') return inObject ? 'key' : 'value';
      return token === (inObject ? '}' : ']') ? close(open, afterValue) : undefined;
    }
    case 'end':
      return undefined;
  }
}

function close(open: string[], afterValue: () => Expected): Expected {
  open.pop();
  return afterValue();
}

function placeOf(text: string, offset: number): JsonPosition {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}
