import type { Exchange } from '../exchange.ts';

/** Specification 4.1: what zero and absence mean. */
const DEFAULT_TTL_MS = 7_200_000;
const MAX_SWEEP_MS = 60_000;
const MIN_SWEEP_MS = 50;

/** What the proxy knows of a session the server opened. */
export interface HttpSession {
  readonly id: string;
  /** Subject of who opened it; undefined while the proxy does not authenticate. */
  readonly owner: string | undefined;
  /** The negotiated revision, once it was seen. */
  version: string | undefined;
  lastUsed: number;
  /** Requests and streams that are open now: no session ends below them. */
  open: number;
  /** Requests whose answers links want to see, by `JSON.stringify(id)`: answers may come on the GET stream. */
  readonly awaited: Map<string, Exchange>;
}

export interface HttpSessions {
  /** The session, marked as used; undefined when it is unknown, expired, or somebody else's. */
  find(id: string, subject: string | undefined): HttpSession | undefined;
  /** Starts to know a session, or answers the known one. */
  learn(id: string, subject: string | undefined): HttpSession;
  forget(id: string): void;
  /** Marks the session as in use; call what it answers at the end of the use. */
  hold(session: HttpSession): () => void;
  size(): number;
  close(): void;
}

/**
 * Remembers which sessions the server opened (contract 5): ids that it did not are refused without asking it, and
 * sessions end when they were not used for `ttlMs`.
 *
 * @param ttlMs 0 means two hours
 * @param onExpired to tell the server
 */
export function createHttpSessions(
  ttlMs: number,
  now: () => number,
  onExpired: (session: HttpSession) => void,
): HttpSessions {
  const ttl = ttlMs === 0 ? DEFAULT_TTL_MS : ttlMs;
  const sessions = new Map<string, HttpSession>();
  const isOver = (session: HttpSession): boolean => session.open === 0 && now() - session.lastUsed > ttl;
  const expire = (session: HttpSession): void => {
    sessions.delete(session.id);
    onExpired(session);
  };
  const sweep = (): void => {
    for (const session of sessions.values()) if (isOver(session)) expire(session);
  };
  const timer = setInterval(sweep, Math.min(MAX_SWEEP_MS, Math.max(MIN_SWEEP_MS, ttl / 4)));
  timer.unref();
  return {
    find(id, subject) {
      const session = sessions.get(id);
      if (session === undefined || session.owner !== subject) return undefined;
      if (isOver(session)) {
        expire(session);
        return undefined;
      }
      session.lastUsed = now();
      return session;
    },
    learn(id, subject) {
      const known = sessions.get(id);
      if (known) return known;
      const session = {
        id,
        owner: subject,
        version: undefined,
        lastUsed: now(),
        open: 0,
        awaited: new Map(),
      };
      sessions.set(id, session);
      return session;
    },
    forget: (id) => void sessions.delete(id),
    hold(session) {
      let isHeld = true;
      session.open += 1;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        session.open -= 1;
        session.lastUsed = now();
      };
    },
    size: () => sessions.size,
    close: () => clearInterval(timer),
  };
}
