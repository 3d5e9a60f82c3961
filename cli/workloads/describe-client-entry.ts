import type { WorkloadState } from './workload-state.ts';

/** A workload as clients write it into their configuration; undefined while it has no URL. */
export function describeClientEntry({
  plan,
  url,
}: Pick<WorkloadState, 'plan' | 'url'>): { readonly url: string; readonly type: 'http' | 'sse' } | undefined {
  if (url === undefined) return undefined;
  const isSse = plan.transport === 'sse' || (plan.transport === 'stdio' && plan.proxy.mode === 'sse');
  return { url, type: isSse ? 'sse' : 'http' };
}
