import { skipKey, skipSpace, skipString, skipValue } from './skip-value.ts';

/** Where a value stands in the bytes: from its first byte to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Step {
  readonly key: string;
  /** How the name is written without escapes; undefined when it cannot be. */
  readonly bytes: Buffer | undefined;
  readonly node: PathNode;
}

interface PathNode {
  /** Places in the answer that get the span of this value. */
  readonly wanted: number[];
  readonly steps: Step[];
  /** This node's places and those of everything below it. */
  readonly places: number[];
}

/** Paths made ready for `findSpans`, for those that look for the same ones in every message. */
export interface CompiledPaths {
  readonly root: PathNode;
  readonly count: number;
}

/**
 * Makes paths ready to be looked for.
 *
 * @param paths each a list of member names from the outermost object inwards
 */
export function compilePaths(paths: readonly (readonly string[])[]): CompiledPaths {
  const root: PathNode = { wanted: [], steps: [], places: [] };
  for (const [place, path] of paths.entries()) {
    let node = root;
    node.places.push(place);
    for (const key of path) {
      let step = node.steps.find((candidate) => candidate.key === key);
      if (step === undefined) {
        const isPlain = !/["\\]/.test(key);
        step = {
          key,
          bytes: isPlain ? Buffer.from(key) : undefined,
          node: { wanted: [], steps: [], places: [] },
        };
        node.steps.push(step);
      }
      node = step.node;
      node.places.push(place);
    }
    node.wanted.push(place);
  }
  return { root, count: paths.length };
}

/**
 * Finds several members in one pass over a JSON text. Agrees with `JSON.parse`: of members with the same name the last
 * one counts, and names may be written with escapes. Steps lead through objects only, never into arrays.
 *
 * @param within where the JSON value stands; the whole of `bytes` when absent
 * @returns a span for each path in order; undefined where there is no such member. All are undefined when the text is
 *   not valid JSON or nested deeper than 10,000 levels. Never throws.
 */
export function findSpans(
  bytes: Buffer,
  paths: readonly (readonly string[])[] | CompiledPaths,
  within?: Span,
): (Span | undefined)[] {
  return locateSpans(bytes, paths, within) ?? new Array(countPaths(paths)).fill(undefined);
}

/** As `findSpans`, but answers undefined for a text that is not valid JSON. */
export function locateSpans(
  bytes: Buffer,
  paths: readonly (readonly string[])[] | CompiledPaths,
  within?: Span,
): (Span | undefined)[] | undefined {
  const compiled = 'root' in paths ? paths : compilePaths(paths);
  const found: (Span | undefined)[] = new Array(compiled.count).fill(undefined);
  const end = within?.end ?? bytes.length;
  const start = skipSpace(bytes, within?.start ?? 0, end);
  const after = visitValue(bytes, start, end, compiled.root, found);
  if (after < 0 || skipSpace(bytes, after, end) !== end) return undefined;
  return found;
}

/** As `findSpans`, for one path. */
export function findSpan(bytes: Buffer, path: readonly string[], within?: Span): Span | undefined {
  return findSpans(bytes, [path], within)[0];
}

function countPaths(paths: readonly (readonly string[])[] | CompiledPaths): number {
  return 'root' in paths ? paths.count : paths.length;
}

function visitValue(
  bytes: Buffer,
  from: number,
  end: number,
  node: PathNode,
  found: (Span | undefined)[],
): number {
  const after =
    node.steps.length > 0 && from < end && bytes[from] === 0x7b
      ? visitObject(bytes, from, end, node, found)
      : skipValue(bytes, from, end);
  if (after >= 0 && node.wanted.length > 0) {
    const span = { start: from, end: after };
    for (const place of node.wanted) found[place] = span;
  }
  return after;
}

function visitObject(
  bytes: Buffer,
  from: number,
  end: number,
  node: PathNode,
  found: (Span | undefined)[],
): number {
  let at = skipSpace(bytes, from + 1, end);
  if (at < end && bytes[at] === 0x7d) return at + 1;
  for (;;) {
    const key = at;
    at = skipKey(bytes, key, end);
    if (at < 0) return -1;
    const step = matchStep(bytes, key, end, node.steps);
    if (step === undefined) at = skipValue(bytes, at, end);
    else {
      for (const place of step.node.places) found[place] = undefined;
      at = visitValue(bytes, at, end, step.node, found);
    }
    if (at < 0) return -1;
    at = skipSpace(bytes, at, end);
    if (at >= end) return -1;
    if (bytes[at] === 0x7d) return at + 1;
    if (bytes[at] !== 0x2c) return -1;
    at = skipSpace(bytes, at + 1, end);
  }
}

/** @param quote index of the opening quote of a key that is known to be well-formed */
function matchStep(bytes: Buffer, quote: number, end: number, steps: readonly Step[]): Step | undefined {
  const start = quote + 1;
  for (const step of steps) {
    const expected = step.bytes;
    if (expected === undefined) continue;
    let offset = 0;
    while (offset < expected.length && bytes[start + offset] === expected[offset]) offset++;
    if (offset === expected.length && bytes[start + offset] === 0x22) return step;
  }
  let at = start;
  while (at < end && bytes[at] !== 0x22 && bytes[at] !== 0x5c) at++;
  if (bytes[at] !== 0x5c) return undefined;
  const key: unknown = JSON.parse(bytes.toString('utf8', quote, skipString(bytes, quote, end)));
  return steps.find((step) => step.key === key);
}
