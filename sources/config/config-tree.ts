/** Line and column of a text, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface Placed {
  readonly at: Position;
  /** The environment variable or flag that gave this node instead of the file. */
  readonly setBy?: string;
}

export type ScalarValue = string | number | boolean | null;

export interface ScalarNode extends Placed {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  /** True when a `${NAME}` was replaced: such text may stand for a number or boolean. */
  readonly expanded?: boolean;
}

export interface ListNode extends Placed {
  readonly kind: 'list';
  readonly items: ConfigNode[];
}

export interface MapEntry {
  readonly keyAt: Position;
  node: ConfigNode;
}

export interface MapNode extends Placed {
  readonly kind: 'map';
  readonly entries: Map<string, MapEntry>;
}

/** A configuration as written: plain data in which every key and value knows its place. */
export type ConfigNode = ScalarNode | ListNode | MapNode;

export type ConfigPath = readonly (string | number)[];

/** The node one step below, or undefined. */
export function getChild(node: ConfigNode | undefined, step: string | number): ConfigNode | undefined {
  if (node?.kind === 'map') return node.entries.get(String(step))?.node;
  return node?.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
}

/** The node at a path, or undefined. */
export function findNode(root: ConfigNode, path: ConfigPath): ConfigNode | undefined {
  let node: ConfigNode | undefined = root;
  for (const step of path) node = getChild(node, step);
  return node;
}

/** The text at a path; undefined when there is none or something else. */
export function findText(root: ConfigNode, path: ConfigPath): string | undefined {
  const node = findNode(root, path);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** Whether the value at a path is the boolean `true`. */
export function isTrue(root: ConfigNode, path: ConfigPath): boolean {
  const node = findNode(root, path);
  return node?.kind === 'scalar' && node.value === true;
}

/** The keys of the map at a path, in the order written; empty when there is no map. */
export function listKeys(root: ConfigNode, path: ConfigPath): string[] {
  const node = findNode(root, path);
  return node?.kind === 'map' ? [...node.entries.keys()] : [];
}

/** The paths of the elements of the list at a path; empty when there is no list. */
export function listElements(root: ConfigNode, path: ConfigPath): ConfigPath[] {
  const node = findNode(root, path);
  return node?.kind === 'list' ? node.items.map((_, index) => [...path, index]) : [];
}

/** The plain data of a node, as a schema reads it. */
export function toPlain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlain);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, toPlain(entry.node)]));
}

/** A path the way people write it: `sources[0].git.branch`. */
export function formatPath(path: ConfigPath): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('')
    .replace(/^\./, '');
}
