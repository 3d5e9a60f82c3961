import { type ConfigNode, type ConfigPath, getChild, type MapEntry, type Position } from './config-tree.ts';
import type { Problem } from './problem.ts';

/**
 * What of a path is at fault: its `key`, its `value`, or what is `missing` below it, which is reported at the first
 * key of that map.
 */
export type Fault = 'key' | 'value' | 'missing';

export interface Finding {
  readonly path: ConfigPath;
  readonly fault?: Fault;
  readonly message: string;
  readonly fix?: string | undefined;
}

/**
 * Gives a finding its place in the file. A path that does not exist is reported where its deepest existing part is; a
 * value that an environment variable or a flag gave names it.
 */
export function locateProblem(root: ConfigNode, file: string, finding: Finding): Problem {
  const { path, message, fix } = finding;
  let node = root;
  let entry: MapEntry | undefined;
  let depth = 0;
  for (const step of path) {
    const next = getChild(node, step);
    if (next === undefined) break;
    entry = node.kind === 'map' ? node.entries.get(String(step)) : undefined;
    node = next;
    depth++;
  }
  const fault = depth < path.length ? 'missing' : (finding.fault ?? 'value');
  const at = choosePosition(node, entry, fault);
  return {
    file,
    line: at.line,
    column: at.column,
    message: node.setBy === undefined ? message : `${node.setBy}: ${message}`,
    ...(fix === undefined ? {} : { fix }),
  };
}

function choosePosition(node: ConfigNode, entry: MapEntry | undefined, fault: Fault): Position {
  if (fault === 'key') return entry?.keyAt ?? node.at;
  if (fault === 'missing' && node.kind === 'map') return firstKey(node.entries) ?? node.at;
  return node.at;
}

function firstKey(entries: ReadonlyMap<string, MapEntry>): Position | undefined {
  for (const entry of entries.values()) return entry.keyAt;
  return undefined;
}
