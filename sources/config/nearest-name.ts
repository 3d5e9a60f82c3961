/** The name of `known` that `given` most likely means, or undefined when none is close enough. */
export function findNearestName(given: string, known: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const allowed = Math.max(1, Math.min(3, Math.floor(given.length / 3)));
  let best: string | undefined;
  let least = allowed + 1;
  for (const name of known) {
    const distance = measureDistance(wanted, name.toLowerCase());
    if (distance < least && name !== given) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** A closing sentence such as `Did you mean "sources"?`, or undefined when nothing is near. */
export function suggestName(given: string, known: readonly string[]): string | undefined {
  const nearest = findNearestName(given, known);
  return nearest === undefined ? undefined : `Did you mean "${nearest}"?`;
}

/** Edits (insert, delete, replace, swap two neighbours) that lead from one text to the other. */
function measureDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 3) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? 0;
}
