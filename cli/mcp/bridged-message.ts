import { z } from 'zod';

/** What the bridge has to know of a message; its bytes pass as they are. */
const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Message = z.infer<typeof messageSchema>;

const metaSchema = z.looseObject({
  name: z.string().optional().catch(undefined),
  uri: z.string().optional().catch(undefined),
  _meta: z
    .looseObject({ 'io.modelcontextprotocol/protocolVersion': z.string().optional() })
    .optional()
    .catch(undefined),
});

const initializedSchema = z.looseObject({ protocolVersion: z.string() });

/** undefined for what is no JSON; an array (a batch) and the like are as a message without anything. */
export function readMessage(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return messageSchema.safeParse(value).data ?? {};
}

/** Whether somebody waits for an answer. */
export function isRequest({ id, method }: Message): boolean {
  return method !== undefined && id !== undefined && id !== null;
}

export function isAnswerTo(message: Message, request: Message): boolean {
  return message.method === undefined && message.id === request.id;
}

/** The headers that revision 2026-07-28 wants beside a message that speaks it, and its version; none for older ones. */
export function modernHeaders({ method, params }: Message): Record<string, string> {
  const { _meta, name, uri } = metaSchema.safeParse(params).data ?? {};
  const version = _meta?.['io.modelcontextprotocol/protocolVersion'];
  if (version === undefined || method === undefined) return {};
  const target = name ?? uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(target === undefined ? {} : { 'mcp-name': target }),
  };
}

/** The revision that the answer to `initialize` settles on. */
export function agreedVersion({ result }: Message): string | undefined {
  return initializedSchema.safeParse(result).data?.protocolVersion;
}

/** A JSON-RPC error as one line. */
export function makeError(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}
