import type { ConfigNode, ConfigPath, MapEntry, MapNode, ScalarNode } from './config-tree.ts';
import type { Environment } from './expand-variables.ts';
import type { Schema } from './inspect-schema.ts';
import { matchVariable } from './match-variable.ts';

const PREFIX = 'BERTH_';

/**
 * Lays the `BERTH_<PATH>` variables over a configuration (contract 2). Variables that stand for no scalar of the schema
 * belong to something else and are left alone, as are empty ones. Values are taken as they are, without expansion.
 */
export function overrideFromEnvironment(root: ConfigNode, schema: Schema, env: Environment): void {
  const byNumber = new Intl.Collator('en', { numeric: true });
  for (const name of Object.keys(env).sort(byNumber.compare)) {
    const value = env[name];
    if (!name.startsWith(PREFIX) || value === undefined || value === '') continue;
    const path = matchVariable(name.slice(PREFIX.length), schema, root);
    if (path !== undefined) setScalar(root, path, value, name);
  }
}

/** Puts a text at a path, making the maps and lists on the way, and remembers who set it. */
export function setScalar(root: ConfigNode, path: ConfigPath, value: string, setBy: string): void {
  let node = root;
  for (const [index, step] of path.entries()) {
    const below = path[index + 1];
    const make = (at: ConfigNode['at']): ConfigNode => {
      if (below === undefined) return { kind: 'scalar', value, at, setBy } satisfies ScalarNode;
      return typeof below === 'number' ? { kind: 'list', items: [], at, setBy } : emptyMap(at, setBy);
    };
    const next = descend(node, step, below, make);
    if (next === undefined) return;
    node = next;
  }
}

/** Goes one step down, replacing what is no map or list there; undefined when `node` itself is none. */
function descend(
  node: ConfigNode,
  step: string | number,
  below: string | number | undefined,
  make: (at: ConfigNode['at']) => ConfigNode,
): ConfigNode | undefined {
  const wanted = below === undefined ? undefined : typeof below === 'number' ? 'list' : 'map';
  if (node.kind === 'map') {
    const entry = node.entries.get(String(step));
    if (entry !== undefined && entry.node.kind === wanted) return entry.node;
    const made = make(entry?.node.at ?? placeInside(node));
    const keyAt = entry?.keyAt ?? made.at;
    node.entries.set(String(step), { keyAt, node: made });
    return made;
  }
  if (node.kind === 'list' && typeof step === 'number') {
    const item = node.items[step];
    if (item !== undefined && item.kind === wanted) return item;
    const made = make(item?.at ?? node.at);
    node.items[step] = made;
    return made;
  }
  return undefined;
}

/** Where something that the file does not have is reported: the first key of its map. */
function placeInside(node: MapNode): ConfigNode['at'] {
  const first: MapEntry | undefined = node.entries.values().next().value;
  return first?.keyAt ?? node.at;
}

function emptyMap(at: ConfigNode['at'], setBy: string): MapNode {
  return { kind: 'map', entries: new Map(), at, setBy };
}
