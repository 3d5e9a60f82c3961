// A small MCP server for trying the guides, plain Node: `node notes-server.mjs PORT [TOKEN]`. With a token, it lets
// nobody in who does not send it. It forgets everything when it ends.
import { createServer } from 'node:http';

const notes = new Map([
  ['shopping', 'bread, apples'],
  ['plans', 'ship on Friday'],
]);
const TITLE = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const TOOLS = {
  list_notes: {
    description: 'The titles of all notes.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: () => [...notes.keys()].join(', '),
  },
  read_note: {
    description: 'The text of a note.',
    inputSchema: TITLE,
    annotations: { readOnlyHint: true },
    run: ({ title }) => notes.get(title) ?? `There is no note ${title}.`,
  },
  delete_note: {
    description: 'Deletes a note for good.',
    inputSchema: TITLE,
    annotations: { readOnlyHint: false, destructiveHint: true },
    run: ({ title }) => (notes.delete(title) ? `Deleted ${title}.` : `There is no note ${title}.`),
  },
  show_header: {
    description: 'What a header of this request holds.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    annotations: { readOnlyHint: true },
    run: ({ name }, headers) => headers[name.toLowerCase()] ?? `There is no header ${name}.`,
  },
};

function answer({ method, params = {} }, headers) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') {
    return { tools: Object.entries(TOOLS).map(([name, { run: _, ...tool }]) => ({ name, ...tool })) };
  }
  const tool = method === 'tools/call' ? TOOLS[params.name] : undefined;
  if (tool === undefined) return undefined;
  return { content: [{ type: 'text', text: tool.run(params.arguments ?? {}, headers) }] };
}

const [port = '9301', token] = process.argv.slice(2);
createServer(async (request, response) => {
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
    return response.writeHead(401, { 'www-authenticate': 'Bearer realm="notes"' }).end();
  }
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  if (message.id === undefined) return response.writeHead(202).end();
  const result = answer(message, request.headers);
  const unknown = { code: -32601, message: `no method ${message.method}` };
  const reply = { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error: unknown }) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}).listen(Number(port), '127.0.0.1', () => console.log(`notes are at http://127.0.0.1:${port}/mcp`));
