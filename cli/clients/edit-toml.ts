import { cutPiece, findEol } from './cut-piece.ts';
import {
  type ConfigEditor,
  type Edited,
  type EntryEdit,
  type FileRecord,
  UneditableFile,
} from './entry-record.ts';
import { readTomlString, scanToml, type TomlTable } from './scan-toml.ts';

/** TOML: an entry is a table at the end of the file, and cut out again. */
export const tomlEditor: ConfigEditor = { add, remove, find };

function add({ text: given, record, key, name, entry }: EntryEdit): Edited {
  const cleared =
    record.entries[name] === undefined ? { text: given, record } : remove(given, record, key, name);
  const { text } = cleared;
  checkServers(scanToml(text), key);
  const eol = findEol(text);
  const gap = text.trim() === '' ? '' : eol;
  const lines = Object.entries(entry).map(([member, value]) => `${member} = ${JSON.stringify(value)}${eol}`);
  const piece = `${text === '' || text.endsWith('\n') ? '' : eol}${gap}[${key}.${quoteKey(name)}]${eol}${lines.join('')}`;
  scanToml(text + piece);
  return {
    text: text + piece,
    record: { ...cleared.record, entries: { ...cleared.record.entries, [name]: piece } },
  };
}

function remove(given: string, record: FileRecord, key: string, name: string): Edited {
  const { [name]: piece, ...entries } = record.entries;
  const rest = { ...record, entries };
  const tables = scanToml(given);
  const own = tables.filter(({ path }) => path[0] === key && path[1] === name);
  if (own.length === 0) return { text: given, record: rest };
  // The piece alone would leave members behind that somebody added to the table.
  const whole = cutPiece(given, piece);
  const others = tables.filter((table) => !own.includes(table));
  if (whole !== undefined && isSame(scanToml(whole), others)) return { text: whole, record: rest };
  let text = given;
  for (const { start, end } of own.toReversed()) text = text.slice(0, start) + text.slice(end);
  scanToml(text);
  return { text, record: rest };
}

function find(text: string, key: string, name: string): unknown {
  const tables = scanToml(text);
  const table = tables.find(({ path }) => path[0] === key && path[1] === name);
  if (!table) {
    const servers = tables.find(({ path }) => path.length === 1 && path[0] === key);
    return servers?.values.some(({ path }) => path[0] === name) ? {} : undefined;
  }
  const url = table.values.find(({ path }) => path.join('.') === 'url');
  return { url: url && readTomlString(url.raw) };
}

function checkServers(tables: readonly TomlTable[], key: string): void {
  const isInline = tables[0]?.values.some(({ path }) => path[0] === key);
  if (isInline || tables.some(({ path, isArray }) => isArray && path.length === 1 && path[0] === key)) {
    throw new UneditableFile(`its "${key}" is not written as tables`);
  }
}

function isSame(left: readonly TomlTable[], right: readonly TomlTable[]): boolean {
  const print = (tables: readonly TomlTable[]) =>
    JSON.stringify(tables.map(({ path, values }) => [path, values]));
  return print(left) === print(right);
}

function quoteKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}
