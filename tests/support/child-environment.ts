/** Our environment for a child, without what would change the configuration it is given. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('BERTH_') && name !== 'NODE_OPTIONS') kept[name] = value;
  }
  return { ...kept, NO_COLOR: '1', ...more };
}
