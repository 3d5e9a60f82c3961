import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './add-tools.ts';

const ENUMS = {
  untitledSingle: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string' as const,
    oneOf: [
      { const: 'value1', title: 'First' },
      { const: 'value2', title: 'Second' },
      { const: 'value3', title: 'Third' },
    ],
  },
  legacyEnum: {
    type: 'string' as const,
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: {
    type: 'array' as const,
    minItems: 1,
    maxItems: 3,
    items: { type: 'string' as const, enum: ['option1', 'option2', 'option3'] },
  },
  titledMulti: {
    type: 'array' as const,
    minItems: 1,
    maxItems: 3,
    items: {
      anyOf: [
        { const: 'value1', title: 'First' },
        { const: 'value2', title: 'Second' },
        { const: 'value3', title: 'Third' },
      ],
    },
  },
};

const DEFAULTS = {
  name: { type: 'string' as const, default: 'John Doe' },
  age: { type: 'integer' as const, default: 30 },
  score: { type: 'number' as const, default: 95.5 },
  status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean' as const, default: true },
};

/** Tools that ask their client something while they run, as the revisions with sessions do it. */
export function addAskingTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client for a completion.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const { content } = await context.mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      return text(`The client said ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user for a text.', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) => {
      const answer = await context.mcpReq.elicitInput({
        message,
        requestedSchema: {
          type: 'object',
          properties: { response: { type: 'string', description: 'Any text' } },
          required: ['response'],
        },
      });
      return text(`The user did ${answer.action}: ${JSON.stringify(answer.content)}`);
    },
  );
  const forms = { test_elicitation_sep1034_defaults: DEFAULTS, test_elicitation_sep1330_enums: ENUMS };
  for (const [name, properties] of Object.entries(forms)) {
    server.registerTool(name, { description: 'Asks the user to fill a form.' }, async (context) => {
      const requestedSchema = { type: 'object' as const, properties, required: [] };
      const answer = await context.mcpReq.elicitInput({ message: 'Please fill in', requestedSchema });
      return text(`The user did ${answer.action}: ${JSON.stringify(answer.content)}`);
    });
  }
}
