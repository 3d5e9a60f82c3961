import type { EntryFilters } from '../../../../server/site/catalog-reader.ts';
import { PUBLISHER_META } from '../../../../sources/model/meta-keys.ts';
import { readPublisherExtension } from '../../../../sources/model/publisher-extension.ts';
import { type ConsumerBench, readServers } from '../../../support/consumer-bench.ts';

type Server = ReturnType<typeof readServers>['servers'][number]['server'];

/** What the consumer API lists for a caller, all pages, with what a page would filter it by. */
export interface Listed {
  readonly name: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly transports: readonly string[];
  readonly packages: readonly string[];
}

/** Reads the latest servers a caller is given by the API. */
export async function listByApi(bench: ConsumerBench, as: string, query: string): Promise<Listed[]> {
  const listed: Listed[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const target = `/registry/main/v0.1/servers?version=latest&limit=100&${query}&cursor=${cursor}`;
    const page = readServers(await bench.ask(target, { as }));
    listed.push(...page.servers.map(({ server }) => describe(server)));
    cursor = page.metadata.nextCursor;
  }
  return listed;
}

/** Which of the listed pass the filters the API does not have. */
export function narrow(
  listed: readonly Listed[],
  { transport, package: kind }: Partial<EntryFilters>,
): Listed[] {
  return listed
    .filter(({ transports }) => transport === undefined || transports.includes(transport))
    .filter(({ packages }) => kind === undefined || packages.includes(kind));
}

/** How many have each value, as a plain object. */
export function recount(
  listed: readonly Listed[],
  member: 'tags' | 'transports' | 'packages',
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of listed) for (const value of one[member]) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function describe(server: Server): Listed {
  const { name, version, packages = [], remotes = [], _meta } = JSON.parse(JSON.stringify(server));
  const transports = [...packages.map((one: { transport: unknown }) => one.transport), ...remotes];
  const kinds = packages.map((one: { registryType: string }) => one.registryType);
  return {
    name,
    version,
    tags: readPublisherExtension({ [PUBLISHER_META]: _meta?.[PUBLISHER_META] }).tags,
    transports: [...new Set<string>(transports.map((one: { type: string }) => one.type))],
    packages: [...new Set<string>([...kinds, ...(remotes.length > 0 ? ['remote'] : [])])],
  };
}
