const AT_ONCE = 4;

/**
 * Does the same to several workloads, some at a time; one that fails does not keep the others from it.
 * @returns what failed, in the order of the names
 */
export async function forEachWorkload(
  names: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<readonly { readonly name: string; readonly error: unknown }[]> {
  const failures = new Map<string, unknown>();
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        await work(name);
      } catch (error) {
        failures.set(name, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, names.length) }, worker));
  return names.filter((name) => failures.has(name)).map((name) => ({ name, error: failures.get(name) }));
}
