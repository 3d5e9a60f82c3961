import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { cutPiece, findEol } from './cut-piece.ts';
import {
  type ConfigEditor,
  type Edited,
  type EntryEdit,
  type FileRecord,
  UneditableFile,
} from './entry-record.ts';

/** YAML: entries are inserted as text and cut out again; what the file then means is compared with what it should. */
export const yamlEditor: ConfigEditor = { add, remove, find };

function add({ text: given, record, key, name, entry }: EntryEdit): Edited {
  const cleared =
    record.entries[name] === undefined ? { text: given, record } : remove(given, record, key, name);
  const before = { ...cleared.record.before };
  let text = cleared.text;
  let servers = readServers(text, key);
  if (servers === undefined) {
    const piece = `${text === '' || text.endsWith('\n') ? '' : findEol(text)}${key}:${findEol(text)}`;
    before[key] = piece;
    text += piece;
    servers = readServers(text, key);
  }
  const wanted = { ...readMeaning(given), [key]: { ...readEntries(cleared.text, key), [name]: entry } };
  const { at, piece } = placeEntry(text, servers, name, entry);
  text = text.slice(0, at) + piece + text.slice(at);
  expectMeaning(text, wanted);
  return {
    text,
    record: { ...cleared.record, before, entries: { ...cleared.record.entries, [name]: piece } },
  };
}

function remove(given: string, record: FileRecord, key: string, name: string): Edited {
  const { [name]: piece, ...entries } = record.entries;
  const rest = { ...record, entries };
  const { [name]: gone, ...others } = readEntries(given, key);
  if (gone === undefined) return { text: given, record: rest };
  let text = cutPiece(given, piece) ?? cutLines(given, key, name);
  if (Object.keys(others).length > 0) {
    expectMeaning(text, { ...readMeaning(given), [key]: others });
    return { text, record: rest };
  }
  const { [key]: _, ...wanted } = readMeaning(given);
  text = cutPiece(text, record.before[key]) ?? text;
  const { [key]: left, ...meaning } = readMeaning(text);
  if ((left ?? undefined) !== undefined && Object.keys(left as object).length > 0) throw surprising();
  if (!isDeepStrictEqual(meaning, wanted)) throw surprising();
  return { text, record: rest };
}

function find(text: string, key: string, name: string): unknown {
  return readEntries(text, key)[name];
}

function parse(text: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new UneditableFile(`it is no valid YAML (line ${error.linePos?.[0].line ?? 1})`);
  return document;
}

function readMeaning(text: string): Record<string, unknown> {
  const value: unknown = parse(text).toJS() ?? {};
  if (!isRecord(value)) throw new UneditableFile('it holds no YAML map');
  return value;
}

function readEntries(text: string, key: string): Record<string, unknown> {
  const value = readMeaning(text)[key] ?? {};
  if (!isRecord(value)) throw new UneditableFile(`its "${key}" is no map`);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Servers {
  /** undefined for `key:` without a value. */
  readonly map: YAMLMap | undefined;
  /** Behind the colon of the key. */
  readonly from: number;
}

/** undefined when there is no such key */
function readServers(text: string, key: string): Servers | undefined {
  const root = parse(text).contents;
  if (root === null) return undefined;
  if (!isMap(root) || root.flow) throw new UneditableFile('it holds no YAML map in block style');
  const pair = root.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (!pair) return undefined;
  const from = isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  if (isMap(pair.value)) return { map: pair.value, from };
  if (pair.value === null || (isScalar(pair.value) && pair.value.value === null && !pair.value.source)) {
    return { map: undefined, from };
  }
  throw new UneditableFile(`its "${key}" is no map`);
}

function placeEntry(text: string, servers: Servers | undefined, name: string, entry: object) {
  const eol = findEol(text);
  const map = servers?.map;
  if (map?.flow) {
    const at = (map.range?.[0] ?? 0) + 1;
    // The comma at the end lets every such piece be cut out without its neighbours.
    return { at, piece: `${JSON.stringify(name)}: ${JSON.stringify(entry)}, ` };
  }
  const [first, last] = [map?.items[0], map?.items.at(-1)];
  const start = startOf(first);
  const indent = start === undefined ? '  ' : text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const lines = stringify({ [name]: entry })
    .trimEnd()
    .split('\n');
  const block = lines.map((line) => indent + line).join(eol);
  const end = last ? endOf(last) : (servers?.from ?? text.length);
  if (text[end - 1] === '\n') return { at: end, piece: block + eol };
  const newline = text.indexOf('\n', end);
  return newline < 0 ? { at: text.length, piece: eol + block } : { at: newline + 1, piece: block + eol };
}

function startOf(pair: Pair | undefined): number | undefined {
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

function endOf(pair: Pair): number {
  const node = isNode(pair.value) ? pair.value : pair.key;
  return (isNode(node) ? node.range?.[1] : undefined) ?? 0;
}

/** For an entry that somebody changed since: the lines from its key to the end of its value. */
function cutLines(text: string, key: string, name: string): string {
  const map = readServers(text, key)?.map;
  const pair = map?.items.find((item) => isScalar(item.key) && item.key.value === name);
  const start = startOf(pair);
  if (!pair || start === undefined || map?.flow) throw surprising();
  const end = endOf(pair);
  const newline = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  return text.slice(0, text.lastIndexOf('\n', start - 1) + 1) + (newline < 0 ? '' : text.slice(newline + 1));
}

function expectMeaning(text: string, wanted: Record<string, unknown>): void {
  if (!isDeepStrictEqual(readMeaning(text), wanted)) throw surprising();
}

function surprising(): UneditableFile {
  return new UneditableFile('it is written in a way that cannot be changed safely');
}
