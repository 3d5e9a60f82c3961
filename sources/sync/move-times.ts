import type { BundleStore } from '../bundle/bundle-store.ts';
import { timedRows } from '../bundle/open-bundle.ts';
import { carryTimes, startTimes } from '../bundle/times.ts';

/** Writes the times of the bundle that becomes current, carried over from the one it follows. */
export async function moveTimes(
  store: BundleStore,
  source: string,
  from: string | undefined,
  bytes: Uint8Array,
  hash: string,
): Promise<void> {
  const after = timedRows(bytes);
  const now = Date.now();
  let times = startTimes(after.rowCount, now);
  const old = from === undefined ? undefined : await store.readBundle(source, from).catch(() => undefined);
  if (from !== undefined && old) {
    const before = timedRows(old);
    const known = await store.readTimes(source, from, before.rowCount);
    if (known) times = carryTimes(before, known, after, now);
  }
  await store.writeTimes(source, hash, times);
}
