import type { AuditFormat } from '../../../server/observe/audit.ts';
import type { Outcome } from '../../../server/observe/audit-event.ts';
import type { LineOptions } from '../../../server/observe/audit-line.ts';
import { describeBody } from '../../../server/observe/audit-line.ts';
import { redactText } from '../../../server/observe/redact.ts';

/** One exchange with an MCP server, as plain references. */
export interface McpAuditEvent {
  readonly type: string;
  readonly outcome: Outcome;
  readonly workload: string;
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly subject: string | undefined;
  readonly roles: readonly string[];
  /** Of MCP; of HTTP when no message was read. */
  readonly method: string;
  readonly path: string;
  /** `tool`, `prompt` or `resource`. */
  readonly resourceType: string | undefined;
  readonly resourceName: string | undefined;
  readonly durationMs: number;
  readonly responseBytes: number;
  readonly requestId: string;
  readonly refusal: string | undefined;
  readonly notes: Readonly<Record<string, unknown>>;
  readonly requestBody: Buffer | undefined;
  readonly responseBody: Buffer | undefined;
}

const EVENT_BYTES = 1024;
const TEXT_LENGTH = 512;

/** Lines in the envelope of the registry's audit (contract 5, registry contract 11), with the type of what was asked of the server. */
export function createMcpFormat(includeResponseData: boolean): AuditFormat<McpAuditEvent> {
  return {
    format: (event, options) => `${JSON.stringify(describeEvent(event, options, includeResponseData))}\n`,
    sizeOf: ({ requestBody, responseBody }) =>
      EVENT_BYTES + (requestBody?.byteLength ?? 0) + (responseBody?.byteLength ?? 0),
  };
}

function describeEvent(event: McpAuditEvent, options: LineOptions, includeResponseData: boolean): object {
  const request = options.includeRequestData && event.requestBody;
  const response = includeResponseData && event.responseBody;
  const data = {
    ...(request ? { request: describeBody(request, options.maxDataSize) } : {}),
    ...(response ? { response: describeBody(response, options.maxDataSize) } : {}),
  };
  return {
    audit_id: options.auditId,
    type: event.type,
    logged_at: new Date(options.loggedAt).toISOString(),
    outcome: event.outcome,
    component: 'berth',
    source: {
      type: 'network',
      value: event.clientAddress,
      extra: { user_agent: event.userAgent?.slice(0, TEXT_LENGTH) },
    },
    subjects: { sub: event.subject ?? 'anonymous', roles: event.roles },
    target: {
      method: event.method,
      path: event.path,
      workload: event.workload,
      resource_type: event.resourceType,
      resource_name:
        event.resourceName === undefined ? undefined : redactText(event.resourceName).slice(0, TEXT_LENGTH),
    },
    metadata: {
      duration_ms: Math.round(event.durationMs * 1000) / 1000,
      response_bytes: event.responseBytes,
      request_id: event.requestId,
      refusal: event.refusal,
      ...event.notes,
    },
    data: Object.keys(data).length === 0 ? undefined : data,
  };
}
