import { z } from 'zod';
import { type ConfigNode, type ConfigPath, findText, getChild } from './config-tree.ts';
import { listAlternatives, readScalarTypes, type Schema } from './inspect-schema.ts';

/**
 * The path of the scalar that an environment variable stands for: `DATA_DIR` and `DATADIR` are `dataDir`,
 * `SOURCES_0_GIT_BRANCH` and `SOURCES_ACME_GIT_BRANCH` are the branch of the source `acme`. The schema is followed, so
 * keys that the file does not have are found too; list elements must exist, except the one after the last.
 * @param name the variable without its `BERTH_`
 * @returns undefined when it stands for nothing
 */
export function matchVariable(
  name: string,
  schema: Schema,
  node: ConfigNode | undefined,
): ConfigPath | undefined {
  return match(name, schema, node, []);
}

function match(
  rest: string,
  schema: Schema,
  node: ConfigNode | undefined,
  path: ConfigPath,
): ConfigPath | undefined {
  if (rest === '') return readScalarTypes(schema) === undefined ? undefined : path;
  for (const kind of listAlternatives(schema)) {
    for (const step of listSteps(kind, node)) {
      const below = cutPrefix(rest, step.spelling);
      if (below === undefined) continue;
      const found = match(below, step.schema, getChild(node, step.key), [...path, step.key]);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

interface Step {
  readonly spelling: string;
  readonly key: string | number;
  readonly schema: Schema;
}

function listSteps(schema: Schema, node: ConfigNode | undefined): Step[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, below]) => spell(key, key, below));
  }
  if (schema instanceof z.ZodRecord && node?.kind === 'map') {
    return [...node.entries.keys()].flatMap((key) => spell(key, key, schema.valueType));
  }
  if (schema instanceof z.ZodArray) {
    const items = node?.kind === 'list' ? node.items : [];
    const byIndex = Array.from({ length: items.length + 1 }, (_, index) =>
      spell(String(index), index, schema.element),
    );
    const byName = items.map((item, index) => {
      const name = findText(item, ['name']);
      return name === undefined ? [] : spell(name, index, schema.element);
    });
    // A longer name first: GIT_FILE_CLAIMS means the source git-file before a source git.
    return [...byIndex, ...byName].flat().sort((a, b) => b.spelling.length - a.spelling.length);
  }
  return [];
}

/** `maxPageSize` as `MAX_PAGE_SIZE` and as `MAXPAGESIZE`. */
function spell(text: string, key: string | number, schema: Schema): Step[] {
  const snake = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  const joined = text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return [...new Set([snake, joined])].map((spelling) => ({ spelling, key, schema }));
}

function cutPrefix(text: string, prefix: string): string | undefined {
  if (text === prefix) return '';
  return prefix !== '' && text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : undefined;
}
