import { createListedRegistry } from '../../../cli/registry/listed-registry.ts';
import { readRegistryEntry } from '../../../cli/registry/read-registry-entry.ts';
import type { RegistryClient } from '../../../cli/registry/registry-client.ts';
import type { AskInputs } from '../../../cli/run/modes/resolve-registry.ts';
import type { Resolved } from '../../../cli/run/modes/resolved.ts';
import { resolvePlan } from '../../../cli/run/resolve-plan.ts';
import { parseWords } from './parse-words.ts';

const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

/** A server.json of one OCI package, unless `more` says otherwise. */
export function makeEntry(name: string, pack: object = {}, extra?: object, more: object = {}): object {
  const one = { registryType: 'oci', identifier: 'example.com/img:1', transport: { type: 'stdio' }, ...pack };
  return {
    name,
    description: `About ${name}`,
    version: '1.0.0',
    packages: [one],
    ...(extra === undefined
      ? {}
      : { _meta: { [PUBLISHER]: { 'io.github.stacklok': { [one.identifier]: extra } } } }),
    ...more,
  };
}

/** A registry that holds these server.json. */
export function listEntries(...servers: readonly object[]): RegistryClient {
  return createListedRegistry(
    'http://registry.test',
    servers.map((server) => {
      const read = readRegistryEntry(server);
      if ('fault' in read) throw new TypeError(read.fault);
      return read.entry;
    }),
  );
}

/** Resolves the words of `berth run`. */
export async function resolveWords(
  words: readonly string[],
  registry: RegistryClient | Error,
  { cwd = '/', askInputs }: { readonly cwd?: string; readonly askInputs?: AskInputs } = {},
): Promise<Resolved> {
  const flags = await parseWords(words, cwd);
  const [argument] = words;
  return resolvePlan(argument, flags, {
    cwd,
    openRegistry: async () => {
      if (registry instanceof Error) throw registry;
      return registry;
    },
    askInputs,
  });
}
