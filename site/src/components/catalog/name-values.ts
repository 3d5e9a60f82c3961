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

const FILTERS = { q: 'Search', tag: 'Tag', transport: 'Transport', package: 'Package' } as const;

/** How a filter of a list is called. */
export function nameFilter(filter: keyof typeof FILTERS): string {
  return FILTERS[filter];
}

/** How people call a transport or a kind of package. */
export function nameValue(value: string): string {
  return Object.hasOwn(NAMES, value) ? (NAMES[value] ?? value) : value;
}
