import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG } from './samples.ts';

/** Resources the suite reads, and the subscriptions it makes. */
export function addResources(server: McpServer, era: 'legacy' | 'modern'): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'The content of the static text resource.' }],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
    }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'The content of the watched resource.' }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        { uri: href, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${id}` }) },
      ],
    }),
  );
  // The revision without sessions has no such methods, and wants them to be unknown.
  if (era === 'modern') return;
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
}
