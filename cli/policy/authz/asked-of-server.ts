import type { McpRequest } from '../../proxy/exchange.ts';

/** What a request wants, in the words of policies (contract 5). */
export type Asked =
  | { readonly kind: 'free' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'action';
      readonly action: string;
      readonly type: 'Tool' | 'Prompt' | 'Resource' | 'FeatureType';
      readonly id: string;
      readonly args: Readonly<Record<string, unknown>> | undefined;
    };

/** Always allowed: they reach nothing that policies protect (contract 8). */
const FREE = new Set([
  'initialize',
  'ping',
  'server/discover',
  'logging/setLevel',
  'completion/complete',
  'subscriptions/listen',
]);

const LISTS: Readonly<Record<string, readonly [action: string, feature: string]>> = {
  'tools/list': ['list_tools', 'tool'],
  'prompts/list': ['list_prompts', 'prompt'],
  'resources/list': ['list_resources', 'resource'],
  'resources/templates/list': ['list_resources', 'resource'],
};

const ITEMS: Readonly<Record<string, readonly [action: string, type: 'Tool' | 'Prompt' | 'Resource']>> = {
  'tools/call': ['call_tool', 'Tool'],
  'prompts/get': ['get_prompt', 'Prompt'],
  'resources/read': ['read_resource', 'Resource'],
  'resources/subscribe': ['read_resource', 'Resource'],
  'resources/unsubscribe': ['read_resource', 'Resource'],
};

/** Sorts a request. Answers of the client and notifications are free; a method nobody knows is not. */
export function sortRequest(mcp: McpRequest): Asked {
  const { method } = mcp;
  if (method === undefined) return { kind: 'free' };
  if (FREE.has(method) || method.startsWith('notifications/')) return { kind: 'free' };
  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (list) return { kind: 'action', action: list[0], type: 'FeatureType', id: list[1], args: undefined };
  const item = Object.hasOwn(ITEMS, method) ? ITEMS[method] : undefined;
  if (item === undefined || mcp.target === undefined) return { kind: 'unknown' };
  return {
    kind: 'action',
    action: item[0],
    type: item[1],
    id: mcp.target,
    args: readArguments(mcp.params?.arguments),
  };
}

function readArguments(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}
