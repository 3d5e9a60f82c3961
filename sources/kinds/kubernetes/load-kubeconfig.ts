import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { BerthError } from '../../errors.ts';
import { explainFileError } from '../file-errors.ts';
import { showPath } from '../locate-path.ts';

export interface KubeconfigOptions {
  /** Path of a kubeconfig relative to `baseDir`; the service account of the pod when absent. */
  readonly kubeconfig: string | undefined;
  readonly baseDir: string;
  /** Whether the kubeconfig may name a command or a plugin that obtains credentials. */
  readonly allowCommands: boolean;
  /** Put before the paths of the service account. Empty but in tests. */
  readonly root?: string;
}

const ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Reads how to reach the cluster: server, certificates and credentials. The client is loaded here and not before,
 * because it takes 300 ms and few configurations have a kubernetes source.
 * @throws BerthError `source_kubernetes_kubeconfig`, `source_kubernetes_not_in_cluster`
 */
export async function loadKubeconfig(options: KubeconfigOptions): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (options.kubeconfig === undefined) {
    const root = options.root ?? '';
    if (!process.env.KUBERNETES_SERVICE_HOST || !existsSync(`${root}${ACCOUNT_TOKEN}`)) throw refuseOutside();
    config.loadFromCluster(root);
    return config;
  }
  const path = resolve(options.baseDir, options.kubeconfig);
  const shown = showPath(options.kubeconfig);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refuseKubeconfig(shown, explainFileError(error, shown).message, error);
  });
  try {
    config.loadFromString(text);
  } catch (error) {
    throw refuseKubeconfig(shown, 'It is no kubeconfig in YAML or JSON.', error);
  }
  config.makePathsAbsolute(dirname(path));
  const cluster = config.getCurrentCluster();
  if (!cluster || !URL.canParse(cluster.server)) {
    throw refuseKubeconfig(shown, 'Its current-context names no cluster with a server URL.');
  }
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    throw refuseKubeconfig(
      shown,
      'Its server is plain http, which is used only with `insecure-skip-tls-verify: true`.',
    );
  }
  const user = config.getCurrentUser();
  if (!options.allowCommands && (user?.exec || user?.authProvider || cluster.proxyUrl)) {
    throw refuseKubeconfig(
      shown,
      'It names a command, an auth provider or a proxy, which a source made through the API may not use.',
    );
  }
  return config;
}

function refuseKubeconfig(shown: string, what: string, cause?: unknown): BerthError {
  return new BerthError('source_kubernetes_kubeconfig', `The kubeconfig cannot be used: ${what}`, {
    at: { file: shown },
    fix: 'Correct the file or the `kubeconfig` of the source; relative paths start at the configuration file.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function refuseOutside(): BerthError {
  return new BerthError(
    'source_kubernetes_not_in_cluster',
    'The source names no kubeconfig, and this process runs in no pod with a service account.',
    { fix: 'Set `kubeconfig` on the source, or run Berth in the cluster.' },
  );
}
