import type { Session } from './session.ts';

/** Specification 4.1: what zero means. */
const DEFAULT_TTL_MS = 7_200_000;
/** More sessions than this make room for themselves: the one longest unused ends. */
const MAX_SESSIONS = 10_000;

/** The sessions the proxy opened, by their ids. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #onEnded: (session: Session) => void;

  constructor(ttlMs: number, now: () => number, onEnded: (session: Session) => void) {
    this.#ttlMs = ttlMs === 0 ? DEFAULT_TTL_MS : ttlMs;
    this.#now = now;
    this.#onEnded = onEnded;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** How often `sweep` is to be called, in milliseconds. */
  get sweepMs(): number {
    return Math.min(60_000, Math.max(50, this.#ttlMs / 4));
  }

  add(session: Session): void {
    if (this.#sessions.size >= MAX_SESSIONS) {
      const unused = [...this.#sessions.values()].find((candidate) => !candidate.isBusy());
      if (unused) this.end(unused);
    }
    this.#sessions.set(session.id, session);
  }

  /** The session, marked as used; undefined when it is unknown, expired, or of somebody else. */
  find(id: string, subject: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== subject) return undefined;
    if (this.#isOver(session)) {
      this.end(session);
      return undefined;
    }
    this.touch(session);
    return session;
  }

  /** Marks it as used. The map stays in the order of use. */
  touch(session: Session): void {
    session.lastUsed = this.#now();
    if (this.#sessions.delete(session.id)) this.#sessions.set(session.id, session);
  }

  end(session: Session): void {
    if (!this.#sessions.delete(session.id)) return;
    session.close();
    this.#onEnded(session);
  }

  sweep(): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.isBusy()) session.lastUsed = this.#now();
      else if (this.#isOver(session)) this.end(session);
    }
  }

  list(): Session[] {
    return [...this.#sessions.values()];
  }

  endAll(): void {
    for (const session of this.list()) this.end(session);
  }

  #isOver(session: Session): boolean {
    return !session.isBusy() && this.#now() - session.lastUsed > this.#ttlMs;
  }
}
