import { BerthError } from '../../errors.ts';
import { explainNetworkError } from '../../net/network-errors.ts';

/** What was asked of the cluster, for messages and for the permission it needs. */
export interface Subject {
  /** The verb a role has to allow. */
  readonly verb: 'get' | 'list' | 'watch';
  /** Such as `mcpservers.toolhive.stacklok.dev in namespace tools`. */
  readonly what: string;
}

/** The error for an answer that is not 200; `message` is what the cluster said, already shortened. */
export function explainStatus(status: number, { verb, what }: Subject, message: string): BerthError {
  const said = message === '' ? '' : ` It says: ${message}`;
  if (status === 403) {
    return new BerthError(
      'source_kubernetes_denied',
      `The cluster does not allow to ${verb} ${what} (403).`,
      {
        fix: `Grant the account that Berth uses the verbs get, list and watch on it with a Role and a RoleBinding (ClusterRole for all namespaces).`,
      },
    );
  }
  if (status === 401) {
    return new BerthError(
      'source_kubernetes_unauthorized',
      `The cluster does not accept the credentials used to ${verb} ${what} (401).`,
      {
        fix: 'Renew the token or certificate that the kubeconfig, or the service account of the pod, holds.',
      },
    );
  }
  if (status === 429 || status === 503) {
    return new BerthError(
      'source_kubernetes_busy',
      `The cluster is not ready to ${verb} ${what} (${status}).${said}`,
      { fix: 'It is tried again.' },
    );
  }
  return new BerthError(
    'source_kubernetes_failed',
    `The cluster answered ${status} to ${verb} ${what}.${said}`,
    { fix: 'It is tried again; look at the API server when this stays.' },
  );
}

/** The error for an answer that is no API server's. */
export function refuseAnswer({ verb, what }: Subject, cause: unknown): BerthError {
  return new BerthError(
    'source_kubernetes_failed',
    `The answer of the cluster to ${verb} ${what} cannot be read.`,
    { fix: 'Check that the server of the kubeconfig is a Kubernetes API server.', cause },
  );
}

/** The error for a cluster that does not answer; a refusal of its address is passed on as it is. */
export function explainUnreachable(error: unknown, host: string): BerthError {
  const explained = explainNetworkError(error, host);
  if (explained.code !== 'net_unreachable' && explained.code !== 'net_timeout') return explained;
  return new BerthError(
    'source_kubernetes_unreachable',
    `The cluster does not answer: ${explained.message}`,
    {
      fix: 'Entries known so far stay served, and it is tried again. Check the server named in the kubeconfig.',
      cause: error,
    },
  );
}

/** The error for a connection that broke before the answer was complete. */
export function explainBreak({ verb, what }: Subject, cause: unknown): BerthError {
  return new BerthError(
    'source_kubernetes_unreachable',
    `The connection to the cluster broke in the answer to ${verb} ${what}.`,
    { fix: 'It is tried again.', cause },
  );
}
