import type { RegistryEntry } from './registry-client.ts';

/** How a server of a registry is run, in a few words: `oci npm remote`. */
export function listPackageTypes({ server }: RegistryEntry): string[] {
  const types = (server.packages ?? []).map(({ registryType }) => registryType);
  return [...new Set([...types, ...(server.remotes ?? []).map(() => 'remote')])];
}

/** One server in full, for a terminal. */
export function describeEntry(entry: RegistryEntry): string[] {
  const { server } = entry;
  const lines: [string, string | undefined][] = [
    ['Name', entry.name],
    ['Version', entry.version],
    ['Title', server.title],
    ['Description', server.description],
    ['Status', entry.status],
    ['Website', server.websiteUrl],
    ['Repository', server.repository?.url],
  ];
  const packages = [
    ...(server.packages ?? []).map(
      (one) =>
        `${one.registryType} ${one.identifier}${one.version ? ` ${one.version}` : ''} over ${one.transport.type}`,
    ),
    ...(server.remotes ?? []).map((remote) => `remote ${remote.url} over ${remote.type}`),
  ];
  const variables = (server.packages ?? []).flatMap((one) => one.environmentVariables ?? []);
  return [
    ...lines.flatMap(([title, text]) => (text === undefined ? [] : [`${`${title}:`.padEnd(13)}${text}`])),
    ...list(
      'Packages',
      packages.map((text, index) => `${index + 1}: ${text}`),
    ),
    ...list(
      'Variables',
      variables.map(({ name, isRequired, isSecret, description }) => {
        const marks = [isRequired && 'required', isSecret && 'secret'].filter(Boolean).join(', ');
        return [name, marks && `(${marks})`, description].filter(Boolean).join(' ');
      }),
    ),
  ];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)];
}
