import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { kubernetesSchema, type SourceConfig } from '../../../../sources/config/schema.ts';
import type { BerthError } from '../../../../sources/errors.ts';
import {
  type KubernetesState,
  KubernetesWatch,
} from '../../../../sources/kinds/kubernetes/kubernetes-watch.ts';
import type { Pace } from '../../../../sources/kinds/kubernetes/pace.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { makeDirectory } from '../temporary-directory.ts';
import { ApiServer, GROUP, type ResourceParts } from './api-server.ts';

export const FAST: Pace = { firstPauseMs: 20, longestPauseMs: 100, missingMs: 50, gatherMs: 5 };

/** An API server that knows the three default resources and lives as long as the test. */
export async function startCluster(): Promise<ApiServer> {
  const api = await ApiServer.start();
  onTestFinished(() => api.down());
  api.define('mcpservers', 'MCPServer');
  api.define('mcpremoteproxies', 'MCPRemoteProxy');
  api.define('virtualmcpservers', 'VirtualMCPServer');
  return api;
}

/** Annotations that export a server, and others without their prefix. */
export function exported(others: Readonly<Record<string, string>> = {}): ResourceParts {
  const annotations = Object.entries({ 'registry-export': 'true', ...others }).map(([name, value]) => [
    `${GROUP}/${name}`,
    value,
  ]);
  return { annotations: Object.fromEntries(annotations), statusUrl: 'http://server.tools.svc:8080/mcp' };
}

export interface Watched {
  readonly watch: KubernetesWatch;
  readonly states: KubernetesState[];
  readonly troubles: BerthError[];
  state(): KubernetesState;
  names(): string[];
  /** Waits until the entries have exactly these names, without what all begin with. */
  untilNames(...names: string[]): Promise<void>;
}

/** Starts a watch of a cluster; it ends with the test. */
export function startWatch(
  api: ApiServer,
  block: Partial<SourceConfig['kubernetes']> = {},
  options: {
    readonly source?: Partial<SourceConfig>;
    readonly kubeconfig?: string;
    readonly allow?: boolean;
  } = {},
): Watched {
  const baseDir = makeDirectory();
  writeFileSync(join(baseDir, 'kubeconfig.yaml'), options.kubeconfig ?? api.kubeconfig());
  const kubernetes = kubernetesSchema.parse({ kubeconfig: 'kubeconfig.yaml', ...block });
  const watch = new KubernetesWatch({
    source: { name: 'cluster', kubernetes, ...options.source },
    baseDir,
    maxMetaBytes: 262_144,
    allowPrivate: options.allow ?? true,
    allowCommands: options.allow ?? true,
    pace: FAST,
  });
  const states: KubernetesState[] = [];
  const troubles: BerthError[] = [];
  watch.start(
    (state) => states.push(state),
    (error) => troubles.push(error),
  );
  onTestFinished(() => watch.stop());
  const state = () => {
    const last = states.at(-1);
    if (!last) throw new Error('nothing was told yet');
    return last;
  };
  const names = () => state().entries.map(({ name }) => name.replace('com.toolhive.k8s.', ''));
  return {
    watch,
    states,
    troubles,
    state,
    names,
    untilNames: async (...wanted) => {
      const what = `the entries ${wanted.join(', ')}`;
      await waitUntil(() => names().join() === [...wanted].sort().join(), what, 5000);
    },
  };
}
