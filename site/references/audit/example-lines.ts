import { createMcpFormat } from '../../../cli/policy/audit/mcp-audit-event.ts';
import { formatAuditLine } from '../../../server/observe/audit-line.ts';

const OPTIONS = {
  auditId: '0b5a6f0e-6f0c-4d8e-9a55-1f8f4b9d7c11',
  loggedAt: Date.UTC(2026, 0, 31, 12),
  includeRequestData: true,
  maxDataSize: 1024,
};
const CALLER = {
  userAgent: 'curl/8.5.0',
  subject: 'alice',
  durationMs: 1.204,
  requestId: '5f2c1b0e-5d7a-4a53',
};

/** A line of the service with every field, as JSON. */
export function writeServiceLine(): unknown {
  return JSON.parse(
    formatAuditLine(
      {
        ...CALLER,
        type: 'entry.publish',
        outcome: 'success',
        remoteAddress: '192.0.2.7',
        roles: ['manageEntries'],
        method: 'POST',
        path: '/v1/entries',
        registry: 'default',
        resourceType: 'server',
        resourceName: 'io.github.acme/weather',
        version: '1.2.0',
        responseBytes: 412,
        requestBody: Buffer.from('{"claims":{"org":"acme"}}'),
      },
      OPTIONS,
    ),
  );
}

/** A line of the proxy of a workload with every field, as JSON. */
export function writeProxyLine(): unknown {
  const event = {
    ...CALLER,
    type: 'mcp_tool_call',
    outcome: 'denied' as const,
    workload: 'weather',
    clientAddress: '127.0.0.1',
    roles: ['dev'],
    method: 'tools/call',
    path: '/mcp',
    resourceType: 'tool',
    resourceName: 'forecast',
    responseBytes: 97,
    refusal: 'denied',
    notes: { NOTE: 'text' },
    requestBody: Buffer.from('{"method":"tools/call"}'),
    responseBody: Buffer.from('{"error":{"code":403}}'),
  };
  return JSON.parse(createMcpFormat(true).format(event, OPTIONS));
}

/** The dotted names of all fields of a line; `data` of the service is whatever a body is. */
export function listFields(line: unknown, prefix = ''): string[] {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return [prefix];
  const isBody = prefix === 'data' && !('request' in line || 'response' in line);
  if (isBody || prefix === 'data.request' || prefix === 'data.response') return [prefix];
  return Object.entries(line).flatMap(([name, value]) =>
    listFields(value, prefix === '' ? name : `${prefix}.${name}`),
  );
}
