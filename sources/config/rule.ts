import { type ConfigNode, type ConfigPath, findText, formatPath, listElements } from './config-tree.ts';
import type { Finding } from './locate-problem.ts';

/**
 * A rule that spans fields. It reads the configuration as written, so that it also speaks when the schema refused
 * something elsewhere, and says nothing about values of the wrong kind: the schema does.
 */
export type Rule = (root: ConfigNode) => Finding[];

/** The `name`s in a list that an earlier element already has. */
export function findRepeatedNames(root: ConfigNode, list: ConfigPath, what: string): Finding[] {
  const first = new Map<string, ConfigPath>();
  return listElements(root, list).flatMap((path): Finding[] => {
    const name = findText(root, [...path, 'name']);
    if (name === undefined) return [];
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      { path: [...path, 'name'], message: `the ${what} "${name}" exists already: ${formatPath(before)}` },
    ];
  });
}

/** `a, b or c`. */
export function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
