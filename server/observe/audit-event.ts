/** The types Berth writes (contract 11). Filters may name others, which then never match. */
export const AUDIT_TYPES = [
  'server.list',
  'server.read',
  'server.versions.list',
  'skill.list',
  'skill.read',
  'skill.versions.list',
  'source.create',
  'source.update',
  'source.delete',
  'source.list',
  'source.read',
  'source.entries.list',
  'source.sync',
  'source.bundles.list',
  'source.rollback',
  'registry.create',
  'registry.update',
  'registry.delete',
  'registry.list',
  'registry.read',
  'registry.entries.list',
  'registry.explain',
  'entry.publish',
  'entry.read',
  'entry.delete',
  'entry.status.update',
  'entry.claims.read',
  'entry.claims.update',
  'user.info',
  'auth.unauthenticated',
  'auth.sign_in',
  'auth.sign_out',
  'sync.completed',
  'sync.failed',
  'config.reloaded',
  'config.rejected',
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];
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
