import type { McpRequest } from './exchange.ts';

const TARGET_OF: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
};

/** Reads what policy needs of a JSON-RPC body; undefined when it is no JSON. */
export function readMcpRequest(body: Buffer): McpRequest | undefined {
  let message: unknown;
  try {
    message = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  return outlineMessage(message, body);
}

/** The messages of a body, one by one: itself, or those of a batch. */
export function splitBatch(mcp: McpRequest): readonly McpRequest[] {
  if (!Array.isArray(mcp.message)) return [mcp];
  return mcp.message.map((part: unknown) => outlineMessage(part, Buffer.from(JSON.stringify(part))));
}

function outlineMessage(message: unknown, body: Buffer): McpRequest {
  const members = readMembers(message);
  const method = typeof members?.method === 'string' ? members.method : undefined;
  const params = readMembers(members?.params);
  const target =
    method !== undefined && Object.hasOwn(TARGET_OF, method) ? params?.[TARGET_OF[method] ?? ''] : undefined;
  return {
    body,
    message,
    isBatch: Array.isArray(message),
    id: readId(members?.id),
    method,
    params,
    target: typeof target === 'string' ? target : undefined,
  };
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function readId(id: unknown): string | number | null | undefined {
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}
