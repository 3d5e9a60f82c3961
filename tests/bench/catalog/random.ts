/** Numbers in [0, 1) that are the same in every run (xorshift, 32 bits). */
export function createRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** One of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
