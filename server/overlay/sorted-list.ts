/** The first index whose number is not below `value` in a list in rising order. */
export function findPlace(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts a number into a list in rising order. */
export function insertNumber(sorted: number[], value: number): void {
  const last = sorted.at(-1);
  if (last === undefined || last < value) sorted.push(value);
  else sorted.splice(findPlace(sorted, value), 0, value);
}
