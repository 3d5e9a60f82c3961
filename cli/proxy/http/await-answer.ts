import type { Exchange } from '../exchange.ts';

/** Calls a server never answers must not pile up. */
const MAX_AWAITED = 10_000;

/** Remembers a call whose answer may come on another connection; the oldest is forgotten when there are too many. */
export function awaitAnswer(awaited: Map<string, Exchange>, key: string, exchange: Exchange): void {
  const [oldest] = awaited.keys();
  if (awaited.size >= MAX_AWAITED && oldest !== undefined) awaited.delete(oldest);
  awaited.set(key, exchange);
}
