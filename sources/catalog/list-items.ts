import type { EntryType } from '../model/entry.ts';
import { isPlainObject, type PlainObject } from '../model/plain-object.ts';
import type { ParsedDocument } from './parse-document.ts';

/** One entry of a document, not yet looked at. */
export interface RawItem {
  readonly type: EntryType;
  readonly value: unknown;
  readonly line: number;
}

/** What the forms are, for whoever wrote a document of another one. */
export const FORMS =
  'Use an upstream registry file {version, meta, data: {servers, skills}}, a listing {servers: [{server, _meta}], metadata}, one server.json, or an array of them.';

const SERVER_MEMBERS = ['version', 'description', 'packages', 'remotes', 'version_detail', '$schema'];

/** The entries of a document of form 1 to 3 (contract 3), servers before skills; undefined when it has none of the forms. */
export function listItems(document: ParsedDocument): readonly RawItem[] | undefined {
  const { value } = document;
  if (Array.isArray(value)) return listArray(document, value, 'server', []);
  if (!isPlainObject(value)) return undefined;
  if (isPlainObject(value.data)) return listRegistryFile(document);
  if (isListing(value)) return listMembers(document, value, []);
  if (isPlainObject(value.server) || isServerJson(value)) {
    return [{ type: 'server', value, line: document.linesAt([])[0] ?? 1 }];
  }
  return undefined;
}

/** The entries of an upstream registry file (form 1), the only form looked for in files of any name in a directory. */
export function listRegistryFile(document: ParsedDocument): readonly RawItem[] | undefined {
  const data = isPlainObject(document.value) ? document.value.data : undefined;
  return isPlainObject(data) && isListing(data) ? listMembers(document, data, ['data']) : undefined;
}

function listMembers(
  document: ParsedDocument,
  holder: PlainObject,
  path: readonly string[],
): readonly RawItem[] {
  return (['server', 'skill'] as const).flatMap((type) => {
    const member = `${type}s`;
    const items = holder[member];
    return Array.isArray(items) ? listArray(document, items, type, [...path, member]) : [];
  });
}

function listArray(
  document: ParsedDocument,
  items: readonly unknown[],
  type: EntryType,
  path: readonly string[],
): RawItem[] {
  const lines = document.linesAt(path);
  return items.map((value, index) => ({ type, value, line: lines[index] ?? 1 }));
}

/** Servers, skills or both as arrays; a null one counts as empty because some registries write no list as null. */
function isListing(value: PlainObject): boolean {
  const given = [value.servers, value.skills].filter((list) => list !== undefined);
  return given.length > 0 && given.every((list) => list === null || Array.isArray(list));
}

function isServerJson(value: PlainObject): boolean {
  return 'name' in value && SERVER_MEMBERS.some((member) => member in value);
}
