import { decodePercent } from './decode-percent.ts';
import { HttpError } from './problem.ts';

export type Query = ReadonlyMap<string, string>;

const EMPTY: Query = new Map();

/**
 * Reads a raw query strictly: `+` is a blank, a key without `=` has the value `''`, of a repeated key the first value
 * counts (what `URLSearchParams.get` answers).
 * @param raw the query still encoded, without `?`
 * @throws HttpError 400 `query_invalid` for broken percent-encoding or bytes that are not UTF-8, also in parameters
 *   nobody reads (contract 5)
 */
export function parseQuery(raw: string): Query {
  if (raw === '') return EMPTY;
  const query = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), key);
    if (!query.has(key)) query.set(key, value);
  }
  return query;
}

function decode(raw: string, key?: string): string {
  const text = decodePercent(raw.includes('+') ? raw.replaceAll('+', '%20') : raw);
  if (text !== undefined) return text;
  const which = key === undefined ? 'A parameter name' : `The value of ${JSON.stringify(key.slice(0, 64))}`;
  throw new HttpError(
    400,
    'query_invalid',
    `${which} in the query is not percent-encoded UTF-8. Encode it with encodeURIComponent.`,
  );
}
