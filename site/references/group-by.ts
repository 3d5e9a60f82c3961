/** Things by a key, keys in alphabetical order, things in theirs. */
export function groupBy<T, K extends string>(things: readonly T[], keyOf: (thing: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const known = groups.get(key);
    if (known) known.push(thing);
    else groups.set(key, [thing]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
