/** Headers that end at each connection (RFC 9110, 7.6.1), lower case. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The further names a `Connection` header lists. */
export function listConnectionOptions(
  connection: string | readonly string[] | undefined,
): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return NONE;
  const lists = typeof connection === 'string' ? [connection] : connection;
  return new Set(lists.flatMap((list) => list.split(',')).map((name) => name.trim().toLowerCase()));
}

const NONE: ReadonlySet<string> = new Set();
