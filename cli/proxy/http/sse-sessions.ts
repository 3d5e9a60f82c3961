import type { Exchange } from '../exchange.ts';

/** One open stream of the HTTP+SSE transport. */
export interface SseSession {
  /** The request whose answer is the stream. */
  readonly stream: Exchange;
  readonly owner: string | undefined;
  /** Where the server takes messages of this stream. */
  readonly endpoint: URL;
  /** The negotiated revision, once it was seen. */
  version: string | undefined;
  /** Calls that were not answered yet, by `JSON.stringify(id)`, with the exchange whose links want the answer. */
  readonly awaited: Map<string, Exchange>;
}

export interface SseSessions {
  /** @param place path and query under which clients post */
  add(place: string, session: SseSession): void;
  remove(place: string): void;
  find(place: string, subject: string | undefined): SseSession | undefined;
  /** Whether messages were ever taken at a path, so that a late one gets the right answer. */
  owns(path: string): boolean;
}

const MAX_PATHS = 100;

export function createSseSessions(): SseSessions {
  const sessions = new Map<string, SseSession>();
  const paths = new Set<string>();
  return {
    add(place, session) {
      sessions.set(place, session);
      paths.add(place.replace(/\?.*$/s, ''));
      const [oldest] = paths;
      if (paths.size > MAX_PATHS && oldest !== undefined) paths.delete(oldest);
    },
    remove: (place) => void sessions.delete(place),
    find(place, subject) {
      const session = sessions.get(place);
      return session?.owner === subject ? session : undefined;
    },
    owns: (path) => paths.has(path),
  };
}
