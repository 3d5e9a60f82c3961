const NAMES: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  'streamable-http': 'Streamable HTTP',
  sse: 'SSE',
  npm: 'npm',
  pypi: 'PyPI',
  oci: 'OCI image',
  nuget: 'NuGet',
  mcpb: 'MCP bundle',
  cargo: 'Cargo',
  remote: 'Remote',
  git: 'Git',
};

/** How people call a transport or a kind of package. */
export function nameValue(value: string): string {
  return Object.hasOwn(NAMES, value) ? (NAMES[value] ?? value) : value;
}
