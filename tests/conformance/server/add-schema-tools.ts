import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { text } from './add-tools.ts';

const WITH_KEYWORDS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const WITH_HEADERS = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    query: { type: 'string' },
  },
  required: ['region', 'query'],
};

/** Tools whose input schemas must pass as they are: every keyword, and arguments that are repeated in headers. */
export function addSchemaTools(server: McpServer): void {
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with many keywords.', inputSchema: fromJsonSchema(WITH_KEYWORDS) },
    async () => text('accepted'),
  );
  server.registerTool(
    'test_custom_headers',
    { description: 'An argument is repeated in a header.', inputSchema: fromJsonSchema(WITH_HEADERS) },
    async () => text('accepted'),
  );
}
