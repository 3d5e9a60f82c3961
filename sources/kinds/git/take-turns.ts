const last = new Map<string, Promise<unknown>>();

/** Runs work for a key after all earlier work for the same key in this process; work for other keys is not waited for. */
export async function takeTurns<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}
