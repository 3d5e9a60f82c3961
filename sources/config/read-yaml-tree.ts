import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ConfigNode, MapEntry, Position } from './config-tree.ts';
import { type Environment, expandVariables } from './expand-variables.ts';
import { explainYamlErrors, placeOffset, type TextFault } from './explain-yaml-errors.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 200_000;

export interface YamlTree {
  /** Absent when the text is not YAML or holds nothing. */
  readonly root?: ConfigNode;
  readonly faults: readonly TextFault[];
}

/**
 * Reads YAML 1.2 text as a tree that knows the place of every key and value, with `${NAME}` expanded in string values
 * (contract 2). Anchors, aliases and `<<` merges are resolved; a second document, a repeated key, an unknown tag and a
 * structure that refers to itself are faults. Never throws.
 * @param env undefined for files in which `${NAME}` means itself
 */
export function readYamlTree(text: string, env: Environment | undefined): YamlTree {
  const lines = new LineCounter();
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      merge: true,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    // The parser recurses: text nested some thousand levels deep exhausts the stack.
    const message = error instanceof RangeError ? 'nested too deeply' : 'cannot be read as YAML';
    return { faults: [{ at: { line: 1, column: 1 }, message }] };
  }
  const { faults, broken } = explainYamlErrors([...document.errors, ...document.warnings], text, lines);
  if (broken || document.contents === null) return { faults };
  const reader = new TreeReader(document, lines, env, faults);
  const root = reader.read(document.contents, 0);
  return { ...(root === undefined ? {} : { root }), faults: reader.faults };
}

class TreeReader {
  readonly faults: TextFault[];
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #env: Environment | undefined;
  readonly #told: Set<string>;
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(
    document: Document,
    lines: LineCounter,
    env: Environment | undefined,
    faults: readonly TextFault[],
  ) {
    this.faults = [...faults];
    this.#told = new Set(faults.map((fault) => keyOfPosition(fault.at)));
    this.#document = document;
    this.#lines = lines;
    this.#env = env;
  }

  /** The tree of a YAML node; undefined when it had to be left out (a fault says why). */
  read(node: unknown, depth: number, emptyAt?: Position): ConfigNode | undefined {
    const at = this.#placeOf(node);
    if (depth > MAX_DEPTH) return this.#fail(at, 'nested too deeply');
    if (++this.#nodes > MAX_NODES) {
      if (this.#nodes === MAX_NODES + 1) this.#fail(at, 'too many values; an alias may repeat itself');
      return undefined;
    }
    if (isAlias(node)) return this.#readAlias(node.source, node.resolve(this.#document), at, depth);
    if (isMap(node)) return this.#mark(node, () => this.#readMap(node, at, depth));
    if (isSeq(node)) return this.#mark(node, () => this.#readList(node, at, depth));
    if (isScalar(node)) return this.#readScalar(node.value, node.source ? at : (emptyAt ?? at), at);
    return this.#fail(at, 'this cannot be used in a configuration');
  }

  #placeOf(node: unknown): Position {
    const range = (node as Partial<ParsedNode> | null)?.range;
    return placeOffset(this.#lines, range?.[0] ?? 0);
  }

  #fail(at: Position, message: string, fix?: string): undefined {
    const place = keyOfPosition(at);
    // The parser has told of some repeated keys already.
    if (!this.#told.has(place)) this.faults.push({ at, message, ...(fix === undefined ? {} : { fix }) });
    this.#told.add(place);
    return undefined;
  }

  /** Only an alias can lead back into a node that is still being read. */
  #mark(node: unknown, read: () => ConfigNode): ConfigNode {
    this.#open.add(node);
    const result = read();
    this.#open.delete(node);
    return result;
  }

  #readAlias(name: string, target: unknown, at: Position, depth: number): ConfigNode | undefined {
    if (target === undefined) return this.#fail(at, `the anchor &${name} is not defined before this alias`);
    if (this.#open.has(target)) return this.#fail(at, 'this structure contains itself');
    return this.read(target, depth + 1);
  }

  #readScalar(value: unknown, emptyAt: Position, at: Position): ConfigNode | undefined {
    if (typeof value === 'string') {
      if (this.#env === undefined) return { kind: 'scalar', value, at };
      const expansion = expandVariables(value, this.#env);
      for (const fault of expansion.faults) this.#fail(at, fault.message, fault.fix);
      return { kind: 'scalar', value: expansion.text, at, ...(expansion.expanded ? { expanded: true } : {}) };
    }
    if (value === null) return { kind: 'scalar', value, at: emptyAt };
    if (typeof value === 'number' || typeof value === 'boolean') return { kind: 'scalar', value, at };
    return this.#fail(at, 'this kind of value cannot be used in a configuration');
  }

  #readList(list: YAMLSeq, at: Position, depth: number): ConfigNode {
    const items: ConfigNode[] = [];
    for (const item of list.items) {
      items.push(this.read(item, depth + 1) ?? { kind: 'scalar', value: null, at: this.#placeOf(item) });
    }
    return { kind: 'list', items, at };
  }

  #readMap(map: YAMLMap, at: Position, depth: number): ConfigNode {
    const entries = new Map<string, MapEntry>();
    const merged = new Map<string, MapEntry>();
    for (const pair of map.items) {
      const keyAt = this.#placeOf(pair.key);
      const key = this.#readKey(pair.key, keyAt);
      if (key === undefined) continue;
      const node = this.read(pair.value ?? this.#document.createNode(null), depth + 1, keyAt);
      if (key === '<<') {
        this.#mergeInto(merged, node, keyAt);
      } else if (entries.has(key)) {
        this.#fail(keyAt, 'this key is given twice', 'Keep one of them.');
      } else {
        // What had to be left out keeps its place, so that it is not also reported as missing.
        entries.set(key, {
          keyAt,
          node: node ?? { kind: 'scalar', value: null, at: this.#placeOf(pair.value) },
        });
      }
    }
    for (const [key, entry] of merged) if (!entries.has(key)) entries.set(key, entry);
    return { kind: 'map', entries, at };
  }

  #readKey(key: unknown, at: Position): string | undefined {
    const node = isAlias(key) ? key.resolve(this.#document) : key;
    if (!isScalar(node) || node.value === null || typeof node.value === 'object') {
      return this.#fail(at, 'a key must be text');
    }
    const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    return text === '__proto__' ? this.#fail(at, 'this key cannot be used') : text;
  }

  /** What `<<` brings: a map, or several of which the first wins. */
  #mergeInto(merged: Map<string, MapEntry>, node: ConfigNode | undefined, at: Position): void {
    const parts = node?.kind === 'list' ? node.items : node === undefined ? [] : [node];
    for (const part of parts) {
      if (part.kind !== 'map') this.#fail(at, '"<<" takes a map or a list of maps');
      else for (const [key, entry] of part.entries) if (!merged.has(key)) merged.set(key, entry);
    }
  }
}

function keyOfPosition(at: Position): string {
  return `${at.line}:${at.column}`;
}
