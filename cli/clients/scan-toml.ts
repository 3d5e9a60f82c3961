import { UneditableFile } from './entry-record.ts';

/** A table of a TOML file, or what stands before the first one (path empty). */
export interface TomlTable {
  readonly path: readonly string[];
  readonly isArray: boolean;
  /** Where its header begins. */
  readonly start: number;
  /** Behind its last statement, newline included. */
  end: number;
  readonly values: { readonly path: readonly string[]; readonly raw: string }[];
}

const BLANKS = /[ \t\r\n]*(?:#[^\n]*(?:\n|$)[ \t\r\n]*)*/y;
const INLINE_BLANKS = /[ \t]*/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const KEY = /[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const STRING = /"""(?:[^\\]|\\[\s\S])*?"""(?:"{0,2})|'''[\s\S]*?'''(?:'{0,2})|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE = /[A-Za-z0-9_+.:-]+(?: \d[\d:.Z+-]*)?/y;

/**
 * Reads which tables and keys a TOML file has, and where. It knows as much of TOML as that takes.
 * @throws UneditableFile for what it does not understand
 */
export function scanToml(text: string): TomlTable[] {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const fail = (): never => {
    throw new UneditableFile(
      `it is no TOML that is understood (line ${text.slice(0, at).split('\n').length})`,
    );
  };
  const expect = (word: string): void => {
    if (!text.startsWith(word, at)) fail();
    at += word.length;
  };
  const readPath = (): string[] => {
    const path: string[] = [];
    do {
      take(INLINE_BLANKS);
      path.push(readKey(take(KEY) ?? fail()));
      take(INLINE_BLANKS);
    } while (text[at] === '.' && ++at);
    return path;
  };
  const skipValue = (): void => {
    const open = text[at];
    if (open === '[' || open === '{') {
      at += 1;
      const close = open === '[' ? ']' : '}';
      take(BLANKS);
      while (text[at] !== close) {
        if (open === '{') {
          readPath();
          expect('=');
          take(BLANKS);
        }
        skipValue();
        take(BLANKS);
        if (text[at] === ',') at += 1;
        else if (text[at] !== close) fail();
        take(BLANKS);
      }
      at += 1;
      return;
    }
    if (open === '"' || open === "'" ? take(STRING) : take(BARE)) return;
    fail();
  };

  let table: TomlTable = { path: [], isArray: false, start: 0, end: 0, values: [] };
  const tables = [table];
  for (take(BLANKS); at < text.length; take(BLANKS)) {
    const start = at;
    if (text[at] === '[') {
      const isArray = text.startsWith('[[', at);
      at += isArray ? 2 : 1;
      const path = readPath();
      expect(isArray ? ']]' : ']');
      table = { path, isArray, start, end: at, values: [] };
      tables.push(table);
    } else {
      const path = readPath();
      expect('=');
      take(INLINE_BLANKS);
      const from = at;
      skipValue();
      table.values.push({ path, raw: text.slice(from, at) });
    }
    if (take(LINE_END) === undefined) fail();
    table.end = at;
  }
  return tables;
}

/** The text of a simple string; undefined for other values. */
export function readTomlString(raw: string): string | undefined {
  if (/^'[^']*'$/.test(raw)) return raw.slice(1, -1);
  if (!/^"(?!"")/.test(raw)) return undefined;
  try {
    return String(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

function readKey(raw: string): string {
  return readTomlString(raw) ?? raw;
}
