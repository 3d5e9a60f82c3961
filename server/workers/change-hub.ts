import { setTimeout as delay } from 'node:timers/promises';
import { changeColumns, type OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { ChangeHandlers, ReplicaLink } from '../overlay/postgres/replica-link.ts';
import type { ChangeLink } from '../server-role.ts';
import type { Channel } from './channel.ts';
import type { WorkerCalls } from './process-calls.ts';
import type { ToldChanges } from './told-changes.ts';

/** A write waits at most so long (ms) for the workers to show it. */
const VISIBLE_WITHIN_MS = 200;

/** A worker as the primary process reaches it. */
export interface Member {
  readonly channel: Channel<WorkerCalls>;
  /** It takes requests. */
  live: boolean;
  /** What it is changing itself now, with how many calls; it takes over nothing of the same entry meanwhile. */
  readonly changing: Map<string, number>;
}

/** Tells changes to the primary process itself and to all its workers. */
export class ChangeHub {
  readonly #told: ToldChanges;
  readonly #members = new Set<Member>();

  constructor(told: ToldChanges) {
    this.#told = told;
  }

  add(member: Member): void {
    this.#members.add(member);
  }

  remove(member: Member): void {
    this.#members.delete(member);
    member.live = false;
  }

  /** Those that take requests. */
  get live(): Member[] {
    return [...this.#members].filter(({ live }) => live);
  }

  /**
   * Tells a change to everybody but who made it; settles when all who take requests show it, at the latest after 200
   * ms. A worker that is changing the same entry is told too, but not waited for: it waits for its own change first.
   */
  async announce(change: OverlayChange, from?: Member): Promise<void> {
    await waitAtMost([this.#told.tell(change), ...this.#tellWorkers(change, from)]);
  }

  /** The same without the primary process, which has it. */
  async announceToWorkers(change: OverlayChange, from?: Member): Promise<void> {
    await waitAtMost(this.#tellWorkers(change, from));
  }

  #tellWorkers(change: OverlayChange, from: Member | undefined): Promise<unknown>[] {
    const key = keyOf(change);
    const waits: Promise<unknown>[] = [];
    for (const member of this.#members) {
      if (member === from) continue;
      // One that is gone shows nothing to anybody.
      const shown = member.channel.call('change', change).catch(() => undefined);
      if (member.live && !member.changing.has(key)) waits.push(shown);
    }
    return waits;
  }

  /** Does a worker's change and tells the others of it, when it `counts`, before it is answered. */
  async change<T>(
    from: Member,
    change: OverlayChange,
    work: () => Promise<T>,
    counts: (result: T) => boolean,
  ): Promise<T> {
    const key = keyOf(change);
    from.changing.set(key, (from.changing.get(key) ?? 0) + 1);
    try {
      const result = await work();
      if (counts(result)) await this.announce(change, from);
      return result;
    } finally {
      const left = (from.changing.get(key) ?? 1) - 1;
      if (left > 0) from.changing.set(key, left);
      else from.changing.delete(key);
    }
  }

  /** The link for the primary's own view: what its workers change, and with `replicas` what other machines change. */
  linkFor(replicas: ReplicaLink | undefined): ChangeLink {
    return {
      bundles: replicas?.bundles ?? NO_BUNDLES,
      listenForChanges: (handlers) => this.#listen(handlers, replicas),
    };
  }

  #listen(handlers: ChangeHandlers, replicas: ReplicaLink | undefined): () => Promise<void> {
    const stop = this.#told.listen(handlers);
    const stopReplicas = replicas?.listenForChanges({
      onChange: (change) => this.announce(change),
      onGap: async () => {
        const gaps = [...this.#members].map(({ channel }) =>
          channel.call('refreshAll').catch(() => undefined),
        );
        await Promise.all([this.#told.tellGap(), ...gaps]);
      },
    });
    return async () => {
      await stopReplicas?.();
      await stop();
    };
  }
}

const NO_BUNDLES: ChangeLink['bundles'] = { listCurrent: () => Promise.resolve([]) };

async function waitAtMost(waits: readonly Promise<unknown>[]): Promise<void> {
  const done = new AbortController();
  const limit = delay(VISIBLE_WITHIN_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([Promise.all(waits), limit]);
  done.abort();
}

function keyOf(change: OverlayChange): string {
  return changeColumns(change).join('\n');
}
