import type { Filter } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import type { Fetched, RawFile } from '../kinds/fetched.ts';
import type { Catalog } from '../model/entry.ts';
import { EntryCollector } from './entry-collector.ts';
import { FORMS, listItems, listRegistryFile } from './list-items.ts';
import { decodeText, type ParsedDocument, parseDocument, unreadable } from './parse-document.ts';
import { readSkillMarkdown } from './read-skill-markdown.ts';
import { findSkillDirectories, isSkillMarkdown, type SkillDirectory } from './skill-directories.ts';
import { DEFAULT_META_BYTES } from './validation.ts';

export interface ReadOptions {
  readonly sourceName: string;
  readonly filter?: Filter;
  /** Most bytes of JSON the `_meta` of an entry may have; 262,144 when absent. */
  readonly maxMetaBytes?: number;
}

/**
 * Reads what a source fetched into entries (contract 3, 12.4, 12.5). An invalid entry is rejected alone, with file,
 * line and reason; among several files one that cannot be read is one rejection. Files are read in the order of their
 * paths, servers before the skills of SKILL.md files, so equal content gives an equal catalog.
 *
 * In a `directory` a `server.{json,yaml,yml}` may have form 1 to 3, a file of another name is read when it has form 1
 * and is not below a SKILL.md (what lies there are the skill's own files). Of several files that were named (layout
 * `file`) each may have any form.
 * @throws BerthError `catalog_unreadable` when the only file cannot be read as a catalog of any form
 */
export function readCatalog(fetched: Fetched, options: ReadOptions): Catalog {
  const collector = new EntryCollector({
    filter: options.filter,
    maxMetaBytes: options.maxMetaBytes ?? DEFAULT_META_BYTES,
  });
  const files = [...fetched.files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const [only] = files;
  if (fetched.layout === 'file' && only && files.length === 1)
    readOnlyFile(only, collector, options.sourceName);
  else readTree(files, fetched.layout, collector, options.sourceName);
  for (const { path, reason } of fetched.skipped ?? []) collector.reject(path, 1, reason);
  return collector.toCatalog();
}

function readTree(
  files: readonly RawFile[],
  layout: Fetched['layout'],
  collector: EntryCollector,
  sourceName: string,
): void {
  const skills = findSkillDirectories(files);
  const inSkill = (path: string) => skills.some((skill) => path.startsWith(skill.path));
  for (const file of files) {
    if (isServerFile(file.path) || (layout === 'file' && !inSkill(file.path))) {
      orReject(file, collector, () => addItems(parseDocument(file), file, collector));
    } else if (!inSkill(file.path) && mayBeRegistryFile(file)) {
      orReject(file, collector, () => {
        for (const item of listRegistryFile(parseDocument(file)) ?? []) collector.add(item, file.path);
      });
    }
  }
  for (const skill of skills)
    orReject(skill.markdown, collector, () => addSkill(skill, collector, sourceName));
}

function readOnlyFile(file: RawFile, collector: EntryCollector, sourceName: string): void {
  if (isSkillMarkdown(file.path)) {
    for (const skill of findSkillDirectories([file])) addSkill(skill, collector, sourceName);
  } else {
    addItems(parseDocument(file), file, collector);
  }
}

function addItems(document: ParsedDocument, file: RawFile, collector: EntryCollector): void {
  const items = listItems(document);
  if (!items)
    throw unreadable(
      'The file is no catalog of a known form.',
      { file: file.path, line: 1, column: 1 },
      FORMS,
    );
  for (const item of items) collector.add(item, file.path);
}

function addSkill(skill: SkillDirectory, collector: EntryCollector, sourceName: string): void {
  const file = skill.markdown.path;
  const read = readSkillMarkdown(decodeText(skill.markdown), skill.name, sourceName);
  if (!read.ok) collector.reject(file, read.line, read.reason);
  else collector.add({ type: 'skill', value: read.skill, line: 1 }, file, skill.files);
}

/** In a tree the other files are served even when one cannot be read. */
function orReject(file: RawFile, collector: EntryCollector, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    collector.reject(file.path, error.at?.line ?? 1, [error.message, error.fix].filter(Boolean).join(' '));
  }
}

function isServerFile(path: string): boolean {
  return /(?:^|\/)server\.(?:json|ya?ml)$/.test(path);
}

/** A tree holds many files that are no catalogs; only those with the words of a registry file are worth parsing. */
function mayBeRegistryFile(file: RawFile): boolean {
  if (!/\.(?:json|ya?ml)$/i.test(file.path)) return false;
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  return bytes.includes('data') && (bytes.includes('servers') || bytes.includes('skills'));
}
