import type { McpRequest } from '../../proxy/exchange.ts';

/** One thing a request wants, in the words of policies (contract 5). */
export interface Asked {
  readonly action: string;
  readonly type: 'Tool' | 'Prompt' | 'Resource' | 'FeatureType';
  readonly id: string;
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** Always allowed: they reach nothing that policies protect (contract 8). */
const FREE = new Set(['initialize', 'ping', 'server/discover', 'logging/setLevel']);

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

/**
 * What a request wants: nothing that policies protect for answers of the client, notifications and the like.
 * @returns undefined for a request nobody here understands, which nobody may make
 */
export function sortRequest(mcp: McpRequest): readonly Asked[] | undefined {
  const { method, params, target } = mcp;
  if (method === undefined) return isAnswer(mcp.message) ? [] : undefined;
  if (FREE.has(method) || method.startsWith('notifications/')) return [];
  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (list) return [{ action: list[0], type: 'FeatureType', id: list[1], args: undefined }];
  if (method === 'completion/complete') return sortCompletion(params?.ref);
  if (method === 'subscriptions/listen') return sortListening(params?.notifications);
  const item = Object.hasOwn(ITEMS, method) ? ITEMS[method] : undefined;
  if (item === undefined || target === undefined) return undefined;
  return [{ action: item[0], type: item[1], id: target, args: readMembers(params?.arguments) }];
}

function isAnswer(message: unknown): boolean {
  const members = readMembers(message);
  return members !== undefined && ('result' in members || 'error' in members) && !('method' in members);
}

/** Whoever may not use a prompt or resource learns nothing of its arguments either. */
function sortCompletion(ref: unknown): readonly Asked[] | undefined {
  const { type, name, uri } = readMembers(ref) ?? {};
  if (type === 'ref/prompt' && typeof name === 'string')
    return [{ action: 'get_prompt', type: 'Prompt', id: name, args: undefined }];
  if (type === 'ref/resource' && typeof uri === 'string')
    return [{ action: 'read_resource', type: 'Resource', id: uri, args: undefined }];
  return undefined;
}

/** News of a resource are for those who may read it; news of lists say nothing of what is in them. */
function sortListening(notifications: unknown): readonly Asked[] | undefined {
  const uris = readMembers(notifications)?.resourceSubscriptions ?? [];
  if (!Array.isArray(uris)) return undefined;
  const asked: Asked[] = [];
  for (const uri of uris) {
    if (typeof uri !== 'string') return undefined;
    asked.push({ action: 'read_resource', type: 'Resource', id: uri, args: undefined });
  }
  return asked;
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}
