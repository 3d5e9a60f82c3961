import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly port: number;
  readonly origin: string;
  /** Every request whose body has arrived. */
  readonly seen: Seen[];
  /** Connections that are open now. */
  openConnections(): number;
  /** Answers that were begun and neither ended nor left. */
  openAnswers(): number;
  close(): Promise<void>;
}

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) => void | Promise<void>;

/** A server on loopback that answers as the test says, after the body arrived. */
export async function startServer(answer: Answer, port = 0): Promise<TestServer> {
  const seen: Seen[] = [];
  let connections = 0;
  let answers = 0;
  const server = createServer(async (request, response) => {
    answers += 1;
    response.once('close', () => {
      answers -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: body.toString('utf8'),
    });
    await answer(request, response, body);
  });
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    origin: `http://127.0.0.1:${bound}`,
    seen,
    openConnections: () => connections,
    openAnswers: () => answers,
    close: () => endServer(server),
  };
}

function endServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export const TOOLS = [
  { name: 'echo', description: 'Say it again.', inputSchema: { type: 'object' } },
  {
    name: 'add',
    description: 'Add numbers.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
  { name: 'drop', description: 'Delete all.', inputSchema: { type: 'object' } },
];

export interface McpOptions {
  /** Tools on a page of the list. */
  readonly page?: number;
  /** Answers as events. */
  readonly sse?: boolean;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly protocolVersion?: string };
}

/** A small MCP server for streamable HTTP with sessions. */
export function speakMcp({ page = TOOLS.length, sse = false }: McpOptions = {}): Answer {
  const sessions = new Set<string>();
  return (request, response, body) => {
    const known = sessions.has(String(request.headers['mcp-session-id']));
    if (request.method === 'DELETE') {
      sessions.delete(String(request.headers['mcp-session-id']));
      response.writeHead(known ? 200 : 404).end();
      return;
    }
    if (request.method === 'GET') {
      response.writeHead(known ? 200 : 400, { 'content-type': 'text/event-stream' });
      if (known) response.write(': open\n\n');
      else response.end();
      return;
    }
    const message: Message = JSON.parse(body.toString('utf8'));
    const send = (result: unknown, headers: Record<string, string> = {}): void => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
      response.writeHead(200, { 'content-type': sse ? 'text/event-stream' : 'application/json', ...headers });
      response.end(sse ? `id: 1\nevent: message\ndata: ${text}\n\n` : text);
    };
    if (message.method === 'initialize') {
      const id = `session-${sessions.size + 1}`;
      sessions.add(id);
      const protocolVersion = message.params?.protocolVersion ?? '2025-11-25';
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'test', version: '2' } };
      send(result, { 'mcp-session-id': id });
    } else if (Array.isArray(message)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    } else if (message.id === undefined) {
      response.writeHead(202).end();
    } else if (message.method === 'tools/list') {
      const from = Number(message.params?.cursor ?? 0);
      const rest = from + page < TOOLS.length ? { nextCursor: String(from + page) } : {};
      send({ tools: TOOLS.slice(from, from + page), ...rest });
    } else {
      send({ content: [{ type: 'text', text: `${message.method} ${message.params?.name ?? ''}` }] });
    }
  };
}
