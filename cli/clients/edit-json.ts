import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import {
  type ConfigEditor,
  type Edited,
  type EntryEdit,
  type FileRecord,
  UneditableFile,
} from './entry-record.ts';

/** JSON with or without comments. Every byte that is not ours stays: only insertions and their exact inverse. */
export const jsonEditor: ConfigEditor = { add, remove, find };

/** The place of the file itself in `FileRecord.before`; keys of servers are never empty. */
const ROOT = '';

function add({ text: given, record, key, name, entry }: EntryEdit): Edited {
  const before: Record<string, string | null> = { ...record.before };
  let text = given;
  if (text.trim() === '') {
    before[ROOT] ??= text;
    text = '{\n}\n';
  }
  let root = readRoot(text);
  if (!findProperty(root, key)) {
    before[key] ??= null;
    text = insertProperty(text, root, key, {}, before, `${key} in`);
    root = readRoot(text);
  }
  const servers = readServers(root, key);
  const existing = findProperty(servers, name);
  text = existing
    ? replaceValue(text, existing, entry)
    : insertProperty(text, servers, name, entry, before, key);
  return { text, record: { ...record, before, entries: { ...record.entries, [name]: '' } } };
}

function remove(given: string, record: FileRecord, key: string, name: string): Edited {
  const { [name]: _, ...entries } = record.entries;
  const rest = { ...record, entries };
  const root = readRoot(given);
  const servers = findProperty(root, key) && readServers(root, key);
  const property = servers && findProperty(servers, name);
  if (!servers || !property) return { text: given, record: rest };
  let text = removeProperty(given, servers, property);
  text = restoreInner(text, (now) => readServers(now, key), record.before[key]);
  if (record.before[key] === null && isEmpty(text, readServers(readRoot(text), key))) {
    const now = readRoot(text);
    const container = findProperty(now, key);
    if (container) text = removeProperty(text, now, container);
    text = restoreInner(text, (tree) => tree, record.before[`${key} in`]);
  }
  const blank = record.before[ROOT];
  if (typeof blank === 'string' && isEmpty(text, readRoot(text))) text = blank;
  return { text, record: rest };
}

function find(text: string, key: string, name: string): unknown {
  if (text.trim() === '') return undefined;
  const root = readRoot(text);
  const property = findProperty(root, key) && findProperty(readServers(root, key), name);
  const value = property?.children?.[1];
  return value && getNodeValue(value);
}

function readRoot(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !root) {
    const line = text.slice(0, errors[0]?.offset ?? 0).split('\n').length;
    throw new UneditableFile(`it is no valid JSON (line ${line})`);
  }
  if (root.type !== 'object') throw new UneditableFile('it holds no JSON object');
  return root;
}

function readServers(root: Node, key: string): Node {
  const value = findProperty(root, key)?.children?.[1];
  if (value?.type !== 'object') throw new UneditableFile(`its "${key}" is no object`);
  return value;
}

function findProperty(object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw new UneditableFile(`it has "${name}" twice`);
  return found[0];
}

/** @param place where `before` keeps what an empty object had between its braces */
function insertProperty(
  text: string,
  object: Node,
  name: string,
  value: unknown,
  before: Record<string, string | null>,
  place: string,
): string {
  const style = readStyle(text, object);
  const properties = object.children ?? [];
  const last = properties.at(-1);
  const printed = `${JSON.stringify(name)}:${style.colon}${printValue(value, style)}`;
  if (last) {
    const end = last.offset + last.length;
    const comma = findComma(text, end);
    const anchor = skipLineComment(text, comma === undefined ? end : comma + 1);
    const piece = `${style.lead}${printed}${comma === undefined ? '' : ','}`;
    const head =
      comma === undefined ? `${text.slice(0, end)},${text.slice(end, anchor)}` : text.slice(0, anchor);
    return head + piece + text.slice(anchor);
  }
  const start = object.offset + 1;
  const end = object.offset + object.length - 1;
  const inner = text.slice(start, end);
  if (inner.trim() === '') {
    if (before[place] !== null) before[place] ??= inner;
    const close = `${style.eol}${style.outer}`;
    return `${text.slice(0, start)}${style.lead}${printed}${close}${text.slice(end)}`;
  }
  // Only comments inside: behind the last of them, on a line of its own.
  const anchor = start + inner.trimEnd().length;
  const tail = text.slice(anchor);
  return `${text.slice(0, anchor)}${style.lead}${printed}${/^[ \t]*\r?\n/.test(tail) ? '' : style.eol}${tail}`;
}

/** The exact inverse of `insertProperty`, apart from the inside of an object that is empty then. */
function removeProperty(text: string, object: Node, property: Node): string {
  const properties = object.children ?? [];
  const at = properties.indexOf(property);
  const previous = properties[at - 1];
  const start = leadStart(text, property.offset);
  const end = property.offset + property.length;
  const comma = findComma(text, end);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1);
  const head = text.slice(0, start);
  if (!previous) return head + text.slice(end);
  const separator = findComma(text, previous.offset + previous.length);
  if (separator === undefined) throw new UneditableFile('a comma is not where it was expected');
  return head.slice(0, separator) + head.slice(separator + 1) + text.slice(end);
}

function restoreInner(text: string, pick: (root: Node) => Node, inner: string | null | undefined): string {
  if (typeof inner !== 'string') return text;
  const object = pick(readRoot(text));
  if (!isEmpty(text, object)) return text;
  return text.slice(0, object.offset + 1) + inner + text.slice(object.offset + object.length - 1);
}

function isEmpty(text: string, object: Node): boolean {
  return text.slice(object.offset + 1, object.offset + object.length - 1).trim() === '';
}

function replaceValue(text: string, property: Node, value: unknown): string {
  const old = property.children?.[1];
  if (!old) throw new UneditableFile('an entry has no value');
  const printed = printValue(value, { ...readStyle(text, property), ...styleOf(text, property) });
  return text.slice(0, old.offset) + printed + text.slice(old.offset + old.length);
}

interface Style {
  readonly eol: string;
  /** What stands before a property: newline and indentation, or a blank. */
  readonly lead: string;
  /** Indentation of the closing brace. */
  readonly outer: string;
  /** One level; empty for one-line style. */
  readonly unit: string;
  readonly indent: string;
  readonly colon: string;
}

/** How this object is written, or how the file is for an empty one. */
function readStyle(text: string, object: Node): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, object.offset);
  const first = object.type === 'object' ? object.children?.[0] : undefined;
  const colon = /":\S/.test(text) && !/":\s/.test(text) ? '' : ' ';
  if (first && !text.slice(object.offset, first.offset).includes('\n')) {
    const lead =
      (object.children?.length ?? 0) > 0 && /^\{\S/.test(text.slice(object.offset)) && colon === ''
        ? ''
        : ' ';
    return { eol, lead, outer, unit: '', indent: '', colon };
  }
  if (!first && !text.trim().includes('\n') && !/^\s*\{\s*\}\s*$/.test(text)) {
    return { eol, lead: '', outer, unit: '', indent: '', colon };
  }
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const indent = first ? indentAt(text, first.offset) : outer + unit;
  return { eol, lead: eol + indent, outer, unit, indent, colon };
}

function styleOf(text: string, property: Node): Partial<Style> {
  return { indent: indentAt(text, property.offset) };
}

function printValue(value: unknown, { unit, indent, eol, colon }: Style): string {
  if (unit === '') return JSON.stringify(value).replace(/":/g, `":${colon}`);
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Whitespace before a property back to the end of the line above, or to what stands before it on its line. */
function leadStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /[ \t]/.test(text[start - 1] ?? '')) start -= 1;
  if (text[start - 1] === '\n') start -= text[start - 2] === '\r' ? 2 : 1;
  return start;
}

/** The comma that follows a value, behind whitespace and comments. */
function findComma(text: string, from: number): number | undefined {
  const skipped = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
  return text[from + skipped] === ',' ? from + skipped : undefined;
}

/** Behind a comment that ends this line, so that it stays with what it is about. */
function skipLineComment(text: string, from: number): number {
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*(?:\r?\n|$)))/.exec(text.slice(from));
  return from + (comment?.[0].length ?? 0);
}
