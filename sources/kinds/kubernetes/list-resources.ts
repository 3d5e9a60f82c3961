import type { ClusterConnection } from './cluster-connection.ts';
import { type CustomResource, resourceListSchema } from './custom-resource.ts';
import { ExpiredError } from './expired.ts';
import { readAnswer } from './read-answer.ts';
import { describeScope, pathOf, type ResourceScope } from './watched-resource.ts';

export interface ResourceList {
  readonly resources: readonly CustomResource[];
  /** From here on a watch tells what changed. */
  readonly resourceVersion: string;
}

const PAGE_SIZE = 250;

/**
 * Lists a resource, page by page.
 * @returns undefined when the cluster has no such resource any more
 * @throws ExpiredError when the cluster forgot the list between two pages; BerthError `source_kubernetes_*`
 */
export async function listResources(
  connection: ClusterConnection,
  scope: ResourceScope,
  signal: AbortSignal,
): Promise<ResourceList | undefined> {
  const resources: CustomResource[] = [];
  let next: string | undefined;
  for (;;) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(next ? { continue: next } : {}) });
    const answer = await connection.get(`${pathOf(scope)}?${query}`, signal);
    if (answer.status === 404 || answer.status === 410) {
      answer.body.destroy();
      if (answer.status === 410) throw new ExpiredError();
      return undefined;
    }
    const subject = { verb: 'list', what: describeScope(scope) } as const;
    const page = await readAnswer(answer, resourceListSchema, subject);
    resources.push(...(page.items ?? []));
    next = page.metadata.continue;
    if (!next) return { resources, resourceVersion: page.metadata.resourceVersion };
  }
}
