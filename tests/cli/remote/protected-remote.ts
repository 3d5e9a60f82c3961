import { type Asked, serve } from './serve.ts';

export interface ProtectedRemote {
  readonly url: string;
  readonly seen: Asked[];
}

export interface RemoteOptions {
  /** Whether a token is good; it is empty where none was sent. */
  readonly accepts: (token: string) => boolean;
  readonly issuer: string;
  /** Where its metadata is, below its origin; undefined: nowhere. */
  readonly place?: string | undefined;
  /** The challenge of a 401. */
  readonly challenge?: (origin: string) => string;
  readonly scopes?: readonly string[];
}

/** A remote MCP server that wants a token; it knows `initialize`, `ping` and no more. */
export async function startProtectedRemote(options: RemoteOptions): Promise<ProtectedRemote> {
  const seen: Asked[] = [];
  const remote = { url: '', seen };
  const origin = await serve((asked) => {
    const { url, headers, method, body } = asked;
    if (url.pathname === options.place) {
      return {
        body: {
          resource: remote.url,
          authorization_servers: [options.issuer],
          ...(options.scopes === undefined ? {} : { scopes_supported: options.scopes }),
        },
      };
    }
    seen.push(asked);
    if (url.pathname !== '/mcp') return { status: 404 };
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!options.accepts(token)) {
      const challenge = options.challenge?.(url.origin) ?? 'Bearer';
      return { status: 401, headers: { 'www-authenticate': challenge } };
    }
    if (method !== 'POST') return { status: 405 };
    const message = JSON.parse(body);
    if (message.id === undefined) return { status: 202 };
    const result =
      message.method === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: {},
            serverInfo: { name: 'protected', version: '1.0.0' },
          }
        : {};
    return { body: { jsonrpc: '2.0', id: message.id, result } };
  });
  remote.url = `${origin}/mcp`;
  return remote;
}
