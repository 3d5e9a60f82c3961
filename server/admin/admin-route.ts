import type { Identity } from '../auth/identity.ts';
import type { Query } from '../http/parse-query.ts';
import type { AuditEvent, AuditType } from '../observe/audit-event.ts';

/** One call of the admin API, its path and query decoded. */
export interface AdminCall {
  readonly identity: Identity;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed JSON body; undefined for methods without one. */
  readonly body: unknown;
  /** Tells the audit log what the call turned out to be about. */
  name(event: Partial<Pick<AuditEvent, 'type' | 'resourceType' | 'resourceName' | 'version'>>): void;
}

export interface AdminResult {
  readonly status: number;
  /** Text and bytes are sent as they are, with the type their headers say; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A row of the admin API: what it answers to, what the audit log calls it, what it does. */
export interface AdminRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for a segment. */
  readonly path: string;
  readonly event: AuditType;
  /** @throws HttpError */
  handle(call: AdminCall): AdminResult | Promise<AdminResult>;
}
