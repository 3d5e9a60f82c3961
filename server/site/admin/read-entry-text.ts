import { parseDocument } from '../../../sources/catalog/parse-document.ts';
import { readSkillMarkdown } from '../../../sources/catalog/read-skill-markdown.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { EntryType } from '../../../sources/model/entry.ts';
import { isPlainObject } from '../../../sources/model/plain-object.ts';

/** What somebody gave to be published; whether it is valid is for the API to say. */
export type EntryText =
  | { readonly ok: true; readonly entry: unknown }
  | { readonly ok: false; readonly line: number | undefined; readonly message: string };

const FRONT_MATTER = /^\s*---[ \t]*\r?\n/;

/**
 * Reads a server.json or server.yaml, a skill object, a body `{server}` or `{skill}`, or for skills a SKILL.md whose
 * `metadata.namespace` says where it belongs.
 */
export function readEntryText(type: EntryType, text: string): EntryText {
  if (text.trim() === '') return { ok: false, line: undefined, message: 'There is nothing here to publish.' };
  if (type === 'skill' && FRONT_MATTER.test(text)) return readMarkdown(text.trimStart());
  try {
    const { value } = parseDocument({ path: 'entry', bytes: Buffer.from(text) });
    const wrapped = isPlainObject(value) && Object.keys(value).length <= 2 ? value[type] : undefined;
    return { ok: true, entry: isPlainObject(wrapped) ? wrapped : value };
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    const { line, column } = error.at ?? {};
    return {
      ok: false,
      line,
      message: `It can be read neither as JSON nor as YAML from line ${line}, column ${column} on.`,
    };
  }
}

function readMarkdown(text: string): EntryText {
  const read = readSkillMarkdown(text, undefined, '');
  if (!read.ok) return { ok: false, line: read.line, message: read.reason };
  if (read.skill.namespace !== '') return { ok: true, entry: read.skill };
  return {
    ok: false,
    line: undefined,
    message:
      'It names no namespace: add metadata with namespace to its front matter, such as io.github.acme.',
  };
}
