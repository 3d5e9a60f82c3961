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

/** Types that stand for no single method, each with what happened. */
const OTHERS = {
  mcp_notification: 'A client sent a notification that has no type of its own.',
  mcp_response: 'A client answered a request of the server.',
  mcp_batch: 'A client sent several messages at once.',
  mcp_request: 'A client sent a request that has no type of its own.',
  sse_connection: 'A client opened a stream of events.',
  'auth.unauthenticated': 'A request was refused for want of a valid token.',
  http_request: 'A request that holds no message of MCP, such as the end of a session or a refused one.',
} as const;

/** The types the proxy writes (contract 5), each with what happened. */
export const MCP_AUDIT_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(TYPES).map(([method, type]) => [type, `A client sent \`${method}\`.`]),
  ),
  ...OTHERS,
};

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
