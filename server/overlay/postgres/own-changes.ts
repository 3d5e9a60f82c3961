import { randomUUID } from 'node:crypto';
import { changeColumns, type OverlayChange } from './overlay-change.ts';

/** How long a change without an answer may still turn up in the log. */
const DOUBT_MS = 600_000;

/**
 * Tells the changes of this process from those of others. What was answered is in memory already and needs no telling;
 * what got no answer, because the connection broke, is told like a change of another process.
 */
export class OwnChanges {
  readonly #process = randomUUID();
  readonly #doubtful = new Map<string, number>();
  #count = 0;
  #toTell: OverlayChange[] = [];

  /** A mark for the log. */
  makeOrigin(): string {
    return `${this.#process}:${++this.#count}`;
  }

  /** There was no answer: whoever listens is to look now, and again when the change shows in the log. */
  doubt(origin: string, change: OverlayChange): void {
    const now = Date.now();
    for (const [old, at] of this.#doubtful) if (now - at > DOUBT_MS) this.#doubtful.delete(old);
    this.#doubtful.set(origin, now);
    const columns = changeColumns(change).join('\n');
    if (!this.#toTell.some((told) => changeColumns(told).join('\n') === columns)) this.#toTell.push(change);
  }

  /** Whether nobody needs to be told of the change with this mark. */
  isKnown(origin: string): boolean {
    return origin.startsWith(`${this.#process}:`) && !this.#doubtful.has(origin);
  }

  /** What `doubt` was called for since the last time. */
  takeDoubtful(): readonly OverlayChange[] {
    const taken = this.#toTell;
    this.#toTell = [];
    return taken;
  }
}
