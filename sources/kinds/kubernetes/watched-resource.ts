import { DEFAULT_GROUP } from './annotations.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { groupVersionSchema } from './custom-resource.ts';
import { readAnswer } from './read-answer.ts';

/** A resource as it is asked for: the first of these versions that the cluster has is watched. */
export interface WantedResource {
  readonly group: string;
  readonly versions: readonly string[];
  readonly plural: string;
}

/** A resource of the cluster in one namespace, or in all when it is undefined. */
export interface ResourceScope {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
}

const DEFAULT_VERSIONS = ['v1beta1', 'v1alpha1'];

/** What is watched when a source names no `resources` (contract 2). */
export const DEFAULT_RESOURCES: readonly WantedResource[] = [
  'mcpservers',
  'mcpremoteproxies',
  'virtualmcpservers',
].map((plural) => ({ group: DEFAULT_GROUP, versions: DEFAULT_VERSIONS, plural }));

/** Where a resource is listed and watched. */
export function pathOf({ group, version, plural, namespace }: ResourceScope): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupPath(group, version)}${within}/${encodeURIComponent(plural)}`;
}

/** `mcpservers.toolhive.stacklok.dev in namespace tools`. */
export function describeScope({ group, plural, namespace }: ResourceScope): string {
  return `${plural}.${group} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`;
}

/**
 * Asks the cluster which version of a resource it has.
 * @returns undefined when it has none: its definition is not installed
 * @throws BerthError `source_kubernetes_*`
 */
export async function discoverVersion(
  connection: ClusterConnection,
  { group, versions, plural }: WantedResource,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly kind: string } | undefined> {
  for (const version of versions) {
    const answer = await connection.get(groupPath(group, version), signal);
    if (answer.status === 404) {
      answer.body.destroy();
      continue;
    }
    const subject = { verb: 'get', what: `the API group ${group}/${version}` } as const;
    const { resources } = await readAnswer(answer, groupVersionSchema, subject);
    const found = resources.find(({ name }) => name === plural);
    if (found) return { version, kind: found.kind };
  }
  return undefined;
}

function groupPath(group: string, version: string): string {
  return `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
}
