// The server of the conformance suite on streamable HTTP, for the revisions with sessions and the one without.
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { keepEvents } from './keep-events.ts';
import { makeServer } from './make-server.ts';

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
const modern = createMcpHandler(
  ({ era }) =>
    makeServer(era, {
      tools: () => modern.notify.toolsChanged(),
      prompts: () => modern.notify.promptsChanged(),
    }),
  { legacy: 'reject' },
);

async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: keepEvents(),
    retryInterval: 500,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await makeServer('legacy').connect(transport);
  return transport;
}

async function serveLegacy(request: Request): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  const known = id === null ? await openSession() : sessions.get(id);
  if (known) return known.handleRequest(request);
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}

const server = serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const refused =
        hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins());
      if (refused) return refused;
      return (await isLegacyRequest(request.clone())) ? serveLegacy(request) : modern.fetch(request);
    },
  },
  ({ port }) => process.send?.(port),
);
process.on('disconnect', () => {
  server.close();
  process.exit(0);
});
