/** The types Berth writes (contract 11), each with what happened. Filters may name others, which then never match. */
export const AUDIT_TYPES = {
  'server.list': 'The servers of a registry were listed or searched.',
  'server.read': 'A version of a server was read.',
  'server.versions.list': 'The versions of a server were listed.',
  'skill.list': 'The skills of a registry were listed or searched, or its discovery index was read.',
  'skill.read': 'A version of a skill was read or downloaded.',
  'skill.versions.list': 'The versions of a skill were listed.',
  'source.create': 'A source was made through the API.',
  'source.update': 'A source was replaced through the API.',
  'source.delete': 'A source was deleted through the API.',
  'source.list': 'The sources were listed.',
  'source.read': 'A source was read, with its status.',
  'source.entries.list': 'The raw entries of a source were listed.',
  'source.sync': 'Somebody asked for a source to be fetched at once.',
  'source.bundles.list': 'The bundles kept of a source were listed.',
  'source.rollback': 'An earlier bundle of a source was made the current one.',
  'registry.create': 'A registry was made through the API.',
  'registry.update': 'A registry was replaced through the API.',
  'registry.delete': 'A registry was deleted through the API.',
  'registry.list': 'The registries were listed.',
  'registry.read': 'The settings of a registry were read.',
  'registry.entries.list': 'The raw entries of a registry were listed.',
  'registry.explain': 'Somebody asked why a caller sees an entry.',
  'entry.publish': 'A version was published.',
  'entry.read': 'A published version was read by somebody who manages entries.',
  'entry.delete': 'A published version was deleted for good.',
  'entry.status.update': 'A published version was deprecated, hidden or brought back.',
  'entry.claims.read': 'The claims of a published entry were read.',
  'entry.claims.update': 'The claims of a published entry were replaced.',
  'user.info': 'Somebody asked who they are and which roles they have.',
  'auth.unauthenticated': 'A request was refused for want of a valid token, whatever it asked for.',
  'auth.sign_in':
    'Somebody came back from the identity provider to sign in to the site, with or without success.',
  'auth.sign_out': 'Somebody signed out of the site.',
  'sync.completed': 'A source was fetched; `data` says whether anything changed, and which bundle is served.',
  'sync.failed': 'A source could not be fetched and goes on with what it had; `data` has the error code.',
  'config.reloaded': 'An edit of the configuration was taken over.',
  'config.rejected': 'An edit of the configuration was refused; the service goes on with the one before.',
} as const;
export type AuditType = keyof typeof AUDIT_TYPES;
export type Outcome = 'success' | 'failure' | 'denied' | 'error';

/** What happened, as plain references: nothing is copied or formatted before the line is written. */
export interface AuditEvent {
  readonly type: AuditType;
  readonly outcome: Outcome;
  /** Absent for what the service does by itself (sync, reload). */
  readonly remoteAddress?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Absent for a caller without a token. */
  readonly subject?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly method?: string | undefined;
  /** The raw path without the query. */
  readonly path?: string | undefined;
  readonly registry?: string | undefined;
  /** `server`, `skill`, `source` or `registry`. */
  readonly resourceType?: string | undefined;
  /** `namespace/name` of an entry, else the name. */
  readonly resourceName?: string | undefined;
  readonly version?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly responseBytes?: number | undefined;
  readonly requestId?: string | undefined;
  /** The request body as received; written only with `includeRequestData`. */
  readonly requestBody?: Uint8Array | undefined;
  /** What a sync or a reload brought; always written. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The outcome of a request by its status: 401 and 403 are denials, other 4xx failures, 5xx errors. */
export function outcomeOf(status: number): Outcome {
  if (status < 400) return 'success';
  if (status === 401 || status === 403) return 'denied';
  return status < 500 ? 'failure' : 'error';
}
