const input = {
  description: 'ünï 漢字 😀 <b>&amp;</b>',
  isRequired: true,
  isSecret: true,
  format: 'string',
  default: '',
  placeholder: 'sk-…',
  choices: ['eu', 'us'],
};

/** A server.json that uses every part of the schema; members in no order a serialiser would choose. */
export const RICH = {
  name: 'io.example.rich/everything',
  version: '1.2.3',
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  description: 'Every field: "quotes" \\ / 100% \u2028',
  title: 'Everything & more <1>',
  websiteUrl: 'https://example.com/docs?a=1&b=2#frag',
  repository: { url: 'https://git.example/everything', source: 'git', id: 'b94b5f7e', subfolder: 'src' },
  icons: [
    {
      src: 'https://example.com/light.png',
      mimeType: 'image/png',
      sizes: ['48x48', '96x96'],
      theme: 'light',
    },
    { src: 'https://example.com/plain.webp' },
  ],
  packages: [
    {
      registryType: 'npm',
      registryBaseUrl: 'https://npm.example.com',
      identifier: '@example/everything',
      version: '1.2.3',
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      runtimeArguments: [
        {
          type: 'named',
          name: '--mount',
          value: 'src={source}',
          isRepeated: true,
          variables: { source: input },
        },
      ],
      packageArguments: [{ type: 'positional', valueHint: 'dir', ...input }],
      environmentVariables: [{ name: 'API_KEY', value: '{tenant}', variables: { tenant: input }, ...input }],
    },
    {
      registryType: 'mcpb',
      identifier: 'https://example.com/everything.mcpb',
      fileSha256: 'fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce',
      transport: {
        type: 'sse',
        url: 'http://127.0.0.1:{port}/sse',
        headers: [{ name: 'X-Trace', ...input }],
      },
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{tenant}.example.com/mcp',
      variables: { tenant: input },
      headers: [{ name: 'Authorization', ...input }],
    },
  ],
  _meta: {
    'io.modelcontextprotocol.registry/publisher-provided': {
      tool: 'publisher-cli',
      build: { nested: { deep: [1, 2.5, -0.001, true, null, 'x', {}] } },
      'com.vendor': { 'example/everything': { tags: ['testing'], tools: ['list_all'] } },
    },
  },
  unknownMember: { kept: ['as', 'given'] },
};
