import { createRandom, pick } from './random.ts';
import { frequentWord, VERB_LIST, WORDS } from './vocabulary.ts';

const NAMESPACES = ['com.example', 'dev.acme', 'io.github.octo', 'io.github.platform-team', 'org.sample'];

/** The name of the server with that number; the same in every run. */
export function serverName(number: number): string {
  const random = createRandom(number * 7919 + 13);
  return `${pick(random, NAMESPACES)}/${pick(random, WORDS)}-${pick(random, WORDS)}-${number}`;
}

/** One version of a server as catalogs hold them: 600 to 1,000 bytes of JSON. */
export function makeServer(number: number, version: string): Record<string, unknown> {
  const random = createRandom(number * 7919 + 14);
  const name = serverName(number);
  const short = name.slice(name.indexOf('/') + 1);
  const words = (count: number) => Array.from({ length: count }, () => frequentWord(random)).join(' ');
  const tools = Array.from({ length: 3 }, () => `${pick(random, VERB_LIST)}_${frequentWord(random)}`);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: words(3),
    description: `MCP server to ${pick(random, VERB_LIST)} ${words(6)}`.slice(0, 100),
    version,
    repository: { url: `https://github.com/example/${short}`, source: 'github' },
    websiteUrl: `https://example.com/${short}`,
    packages: [
      {
        registryType: 'oci',
        identifier: `registry.example.com/mcp/${short}:${version}`,
        transport: { type: 'stdio' },
        environmentVariables: [
          { name: 'API_TOKEN', description: `Token for ${words(2)}`, isRequired: true, isSecret: true },
          { name: 'API_REGION', description: words(3), default: 'eu-central' },
        ],
      },
    ],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        'dev.acme': {
          [`image-${number % 7}`]: { tags: [frequentWord(random), frequentWord(random)], tools },
        },
      },
    },
  };
}
