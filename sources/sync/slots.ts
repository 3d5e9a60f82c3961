/** Lets at most `size` works run at once; the others wait in order. */
export function createSlots(size: number): { take<T>(work: () => Promise<T>): Promise<T> } {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    async take(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
