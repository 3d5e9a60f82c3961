import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/**
 * The lines on which members of a JSON or YAML document begin.
 * @returns a function from a path such as `packages[0].transport` to the line, from 1, of that member or of the nearest
 *   one around it that is there; undefined when nothing of it is
 */
export function createMemberLocator(text: string): (path: string) => number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  return (path) => {
    let rest = path;
    let found: number | undefined;
    let node: unknown = document.contents;
    for (let step = stepInto(node, rest); step; step = stepInto(node, rest)) {
      if (isNode(step.at) && step.at.range) found = lines.linePos(step.at.range[0]).line;
      node = step.value;
      rest = step.rest;
    }
    return found;
  };
}

interface Step {
  /** What stands where the member begins: its key, or the item itself. */
  readonly at: unknown;
  readonly value: unknown;
  readonly rest: string;
}

function stepInto(node: unknown, path: string): Step | undefined {
  if (isSeq(node)) {
    const index = /^\[(\d+)\]\.?/.exec(path);
    const value: unknown = index ? node.items[Number(index[1])] : undefined;
    return index && value !== undefined ? { at: value, value, rest: path.slice(index[0].length) } : undefined;
  }
  if (!isMap(node)) return undefined;
  // Keys may hold dots themselves: of those the path begins with, the longest is meant.
  let best: Step | undefined;
  let longest = 0;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const next = path.charAt(name.length);
    const fits =
      name.length > longest && path.startsWith(name) && (next === '' || next === '.' || next === '[');
    if (!fits) continue;
    longest = name.length;
    best = { at: key, value, rest: path.slice(name.length).replace(/^\./, '') };
  }
  return best;
}
