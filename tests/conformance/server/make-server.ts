import { McpServer } from '@modelcontextprotocol/server';
import { addAskingTools } from './add-asking-tools.ts';
import { addInputTools, codec } from './add-input-tools.ts';
import { addPrompts } from './add-prompts.ts';
import { addResources } from './add-resources.ts';
import { addSchemaTools } from './add-schema-tools.ts';
import { addTools, type Changes } from './add-tools.ts';

/** The server the conformance suite asks, for one connection or one request of an era. */
export function makeServer(era: 'legacy' | 'modern', changes?: Changes): McpServer {
  const server = new McpServer(
    { name: 'berth-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  const own = { tools: () => server.sendToolListChanged(), prompts: () => server.sendPromptListChanged() };
  addTools(server, changes ?? own);
  addSchemaTools(server);
  addAskingTools(server);
  addInputTools(server);
  addResources(server, era);
  addPrompts(server);
  return server;
}
