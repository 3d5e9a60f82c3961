/**
 * The attributes of the context that conditions of policies ask for, in Cedar's JSON form of policies. Everything else
 * of a request's arguments need not reach the engine.
 * @returns undefined when a condition uses the context in another way, so that all of it counts
 */
export function readContextNames(conditions: readonly unknown[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  return conditions.every((condition) => collect(condition, names)) ? names : undefined;
}

/** @returns false when the context itself is used */
function collect(node: unknown, names: Set<string>): boolean {
  if (Array.isArray(node)) return node.every((part) => collect(part, names));
  if (typeof node !== 'object' || node === null) return true;
  return Object.entries(node).every(([operator, operands]: [string, unknown]) => {
    if (operator === 'Var') return operands !== 'context';
    const name = operator === '.' || operator === 'has' ? readContextName(operands) : undefined;
    if (name === undefined) return collect(operands, names);
    names.add(name);
    return true;
  });
}

function readContextName(operands: unknown): string | undefined {
  if (typeof operands !== 'object' || operands === null) return undefined;
  const { left, attr }: { left?: unknown; attr?: unknown } = operands;
  const isContext = typeof left === 'object' && left !== null && 'Var' in left && left.Var === 'context';
  return isContext && typeof attr === 'string' ? attr : undefined;
}
