import type { Exchange } from '../../proxy/exchange.ts';

const TYPES = {
  initialize: 'mcp_initialize',
  ping: 'mcp_ping',
  'server/discover': 'mcp_discover',
  'tools/call': 'mcp_tool_call',
  'tools/list': 'mcp_tools_list',
  'resources/read': 'mcp_resource_read',
  'resources/list': 'mcp_resources_list',
  'resources/templates/list': 'mcp_resource_templates_list',
  'resources/subscribe': 'mcp_resource_subscribe',
  'resources/unsubscribe': 'mcp_resource_unsubscribe',
  'prompts/get': 'mcp_prompt_get',
  'prompts/list': 'mcp_prompts_list',
  'logging/setLevel': 'mcp_logging',
  'completion/complete': 'mcp_completion',
  'subscriptions/listen': 'mcp_subscriptions_listen',
  'notifications/roots/list_changed': 'mcp_roots_list_changed',
} as const;

/** The types the proxy writes (contract 5). */
export const MCP_AUDIT_TYPES: readonly string[] = [
  ...Object.values(TYPES),
  'mcp_notification',
  'mcp_response',
  'mcp_batch',
  'mcp_request',
  'sse_connection',
  'auth.unauthenticated',
  'http_request',
];

const BY_METHOD: Readonly<Record<string, string | undefined>> = TYPES;

/** The audit type of an exchange that has been answered. */
export function auditTypeOf(exchange: Exchange): string {
  const { mcp, request, response } = exchange;
  if (mcp !== undefined) {
    if (mcp.isBatch) return 'mcp_batch';
    if (mcp.method === undefined) return 'mcp_response';
    const known = Object.hasOwn(TYPES, mcp.method) ? BY_METHOD[mcp.method] : undefined;
    return known ?? (mcp.method.startsWith('notifications/') ? 'mcp_notification' : 'mcp_request');
  }
  if (response.statusCode === 401) return 'auth.unauthenticated';
  return request.method === 'GET' && response.statusCode < 400 ? 'sse_connection' : 'http_request';
}
