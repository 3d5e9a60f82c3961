import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';

export interface ServerAccess {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For connecting and for every request. */
  readonly timeoutMs: number;
}

/** What a server or a proxy says in an answer that is an error of HTTP as well. */
const rpcErrorSchema = z.object({ error: z.object({ message: z.string().min(1) }) });
const VERSION = process.env.BERTH_VERSION ?? '0.0.0';

/**
 * Talks MCP with a server while `work` runs: streamable HTTP in whatever revision both know, or SSE when the path of
 * the URL ends in `/sse`.
 * @throws BerthError `mcp_failed` with what the server or the network said
 */
export async function withServer<T>(
  { url, headers, timeoutMs }: ServerAccess,
  work: (client: import('@modelcontextprotocol/client').Client) => Promise<T>,
): Promise<T> {
  const { Client, SSEClientTransport, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  );
  const client = new Client(
    { name: 'berth', version: VERSION },
    { capabilities: {}, versionNegotiation: { mode: 'auto' } },
  );
  const options = { requestInit: { headers: { ...headers } } };
  const isSse = url.pathname.replace(/\/$/, '').endsWith('/sse');
  const transport = isSse
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const result = await work(client);
    if (transport instanceof StreamableHTTPClientTransport) {
      await transport.terminateSession().catch(() => undefined);
    }
    return result;
  } catch (cause) {
    if (cause instanceof BerthError) throw cause;
    throw explainFailure(url, cause);
  } finally {
    await client.close().catch(() => undefined);
  }
}

function explainFailure(url: URL, cause: unknown): BerthError {
  const why = describeCause(cause);
  const wantsToken = /\b401\b|unauthorized/i.test(why);
  return new BerthError('mcp_failed', `Asking the server failed: ${why}`, {
    at: { url: `${url.origin}${url.pathname}` },
    ...(wantsToken ? { fix: 'Give an access token with --token-file.' } : {}),
    cause,
  });
}

/** Network errors hide what happened in their cause. */
function describeCause(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const text = (readRpcError(messageOf(error)) ?? `${messageOf(error)}${inner}`)
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The message of a JSON-RPC error at the end of a text; the SDK hands on the whole body. */
function readRpcError(text: string): string | undefined {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  try {
    return rpcErrorSchema.safeParse(JSON.parse(text.slice(start))).data?.error.message;
  } catch {
    return undefined;
  }
}
