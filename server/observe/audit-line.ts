import type { AuditEvent } from './audit-event.ts';
import { redact } from './redact.ts';

const USER_AGENT_LENGTH = 512;

export interface LineOptions {
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly loggedAt: number;
  readonly includeRequestData: boolean;
  /** Bytes of request data kept. */
  readonly maxDataSize: number;
}

/** One event as one line of JSON, with its line break (contract 11). */
export function formatAuditLine(event: AuditEvent, options: LineOptions): string {
  const data = event.details
    ? redact(event.details)
    : options.includeRequestData && event.requestBody !== undefined && event.requestBody.byteLength > 0
      ? describeBody(event.requestBody, options.maxDataSize)
      : undefined;
  const line = {
    audit_id: options.auditId,
    type: event.type,
    logged_at: new Date(options.loggedAt).toISOString(),
    outcome: event.outcome,
    component: 'berth',
    source: describeSource(event),
    subjects: {
      sub: event.subject ?? (event.remoteAddress === undefined ? 'berth' : 'anonymous'),
      roles: event.roles ?? [],
    },
    target: {
      method: event.method,
      path: event.path,
      registry: event.registry,
      resource_type: event.resourceType,
      resource_name: event.resourceName,
      version: event.version,
    },
    metadata: {
      duration_ms: event.durationMs === undefined ? undefined : Math.round(event.durationMs * 1000) / 1000,
      response_bytes: event.responseBytes,
      request_id: event.requestId,
    },
    data,
  };
  return `${JSON.stringify(line)}\n`;
}

function describeSource(event: AuditEvent): object {
  if (event.remoteAddress === undefined) return { type: 'local', value: 'berth', extra: {} };
  const userAgent = event.userAgent?.slice(0, USER_AGENT_LENGTH);
  return { type: 'network', value: event.remoteAddress, extra: { user_agent: userAgent } };
}

/**
 * The body without its secrets: the JSON value itself while it fits, else the beginning of its text. A body that is not
 * JSON cannot be redacted, so only its size is told.
 */
export function describeBody(body: Uint8Array, maxBytes: number): unknown {
  const value = parse(body);
  if (value === undefined) return `[${body.byteLength} bytes that are not JSON]`;
  const clean = redact(value);
  const bytes = Buffer.from(JSON.stringify(clean));
  return bytes.byteLength <= maxBytes ? clean : cutText(bytes, maxBytes);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch {
    // Refused requests are audited too, and this one was refused for exactly this.
    return undefined;
  }
}

/** The first `maxBytes` bytes as text, without half a character at the end. */
function cutText(bytes: Uint8Array, maxBytes: number): string {
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}
