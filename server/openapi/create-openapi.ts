import { ADMIN_PATHS } from './admin-paths.ts';
import { type JsonSchema, writeComponentSchemas } from './component-schemas.ts';
import { CONSUMER_PATHS } from './consumer-paths.ts';
import * as examples from './examples.ts';
import type { Operation, Tag } from './operation.ts';
import { writeParameters } from './parameters.ts';
import { PUBLIC_PATHS } from './public-paths.ts';
import { writeOperation, writeSharedHeaders, writeSharedResponses } from './write-operation.ts';

export interface OpenApiOptions {
  /** Where the API is reached; the address of the document itself when absent. */
  readonly serverUrl?: string;
  /** Of the service. */
  readonly version: string;
  /** `limits.maxPageSize`; its default when absent. */
  readonly maxPageSize?: number;
}

/** Everything the main port answers, except the pages for people. */
export const OPERATIONS: readonly Operation[] = [...CONSUMER_PATHS, ...PUBLIC_PATHS, ...ADMIN_PATHS];

/** Builds the OpenAPI 3.1 document of the main port (specification 4). */
export function createOpenApi({ serverUrl, version, maxPageSize = 100 }: OpenApiOptions): JsonSchema {
  const schemas = writeComponentSchemas();
  return {
    openapi: '3.1.0',
    info: { title: 'Berth registry', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: serverUrl ?? '/' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: writePaths(),
    components: {
      schemas: { ...schemas, Problem: { ...schemas.Problem, examples: [examples.PROBLEM] } },
      parameters: writeParameters(maxPageSize),
      headers: writeSharedHeaders(),
      responses: writeSharedResponses(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token of a configured identity provider. Not needed in anonymous mode and on configured public paths.',
        },
      },
    },
  };
}

function writePaths(): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: writeOperation(operation) };
  }
  return paths;
}

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const TAGS: Readonly<Record<Tag, string>> = {
  Servers: 'What MCP clients read.',
  Skills: 'What agents install.',
  Registries: 'Groups of sources, each with a base URL and a gate.',
  Sources: 'Where entries come from.',
  Entries: 'Versions that are published through this API.',
  Caller: 'You, and what callers can see.',
  Discovery: 'Documents that are public in every mode.',
  Hooks: 'For git servers.',
};

const DESCRIPTION = `A registry of MCP servers and skills.

**Consumer API.** Everything below \`/registry/{registry}\`, which is the base URL that clients are given. \`v0\` is an alias of \`v0.1\` on every path. The gate of the registry comes first: an unknown registry is 404 and one whose claims you do not satisfy is 403, on every path below it. Readable from any origin (CORS).

**Admin API.** Everything below \`/v1\`. What you cannot see is 404 to read and 403 to change.

**Errors.** Always \`application/problem+json\` with a stable \`code\`. A path that does not exist is 404 \`route_not_found\`; a method a path does not have is 405 \`method_not_allowed\` with \`Allow\`. What is no HTTP, or too slow or too large for it, is 400 \`request_malformed\`, 408 \`request_incomplete\` or 431 \`headers_too_large\`. Every GET also answers HEAD. Unknown query parameters are ignored.

**Answers** may gain members; do not refuse those you do not know.`;
