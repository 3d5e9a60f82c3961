import type { OutgoingHttpHeaders } from 'node:http';
import { HOP_BY_HOP, listConnectionOptions } from './hop-by-hop.ts';

/** Headers of an answer as undici gives them: lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The headers of a server's answer that go on to the client: without those of the connection and without CORS, which
 * is the proxy's to say.
 *
 * @param vary what the proxy itself varies by; undefined for nothing
 */
export function buildClientHeaders(headers: AnswerHeaders, vary: string | undefined): OutgoingHttpHeaders {
  const dropped = listConnectionOptions(headers.connection);
  const kept: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    if (HOP_BY_HOP.has(name) || dropped.has(name) || name.startsWith('access-control-')) continue;
    kept[name] = headers[name];
  }
  if (vary !== undefined && kept.vary !== undefined) kept.vary = `${String(kept.vary)}, ${vary}`;
  return kept;
}

/** The first value of a header. */
export function readHeader(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
