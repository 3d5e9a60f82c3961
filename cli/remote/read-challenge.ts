/** What a `WWW-Authenticate: Bearer` challenge tells (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
  readonly error: string | undefined;
}

const PARAMETER = /([a-z_][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** Reads the Bearer challenge among those of a header; undefined when there is none. */
export function readChallenge(header: string | null): Challenge | undefined {
  const start = header === null ? -1 : header.search(/(?:^|,\s*)bearer(?:\s|$)/i);
  if (header === null || start < 0) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare] of header.slice(start).matchAll(PARAMETER)) {
    if (!parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
    }
  }
  return {
    resourceMetadata: parameters.get('resource_metadata'),
    scope: parameters.get('scope'),
    error: parameters.get('error'),
  };
}
