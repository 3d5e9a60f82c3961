import type { Filter } from '../config/schema.ts';
import { compileGlob } from './match-glob.ts';

/** The filter of a source, ready to ask. */
export interface EntryFilter {
  passesName(name: string): boolean;
  passesTags(tags: readonly string[]): boolean;
}

/**
 * Prepares a source's filter (contract 2): names by globs, tags exactly; an exclude beats an include; names and tags
 * must both pass. An absent or empty include lets everything in.
 */
export function prepareFilter(filter: Filter | undefined): EntryFilter {
  const include = filter?.names?.include?.map(compileGlob) ?? [];
  const exclude = filter?.names?.exclude?.map(compileGlob) ?? [];
  const wanted = new Set(filter?.tags?.include);
  const unwanted = new Set(filter?.tags?.exclude);
  return {
    passesName: (name) =>
      !exclude.some((glob) => glob.test(name)) &&
      (include.length === 0 || include.some((glob) => glob.test(name))),
    passesTags: (tags) =>
      !tags.some((tag) => unwanted.has(tag)) && (wanted.size === 0 || tags.some((tag) => wanted.has(tag))),
  };
}
