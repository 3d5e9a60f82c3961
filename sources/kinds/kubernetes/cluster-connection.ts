import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { BerthError } from '../../errors.ts';
import {
  createGuardedLookup,
  isAddressAllowed,
  isAddressLiteral,
  refuseAddress,
  resolveWithSystem,
} from '../../net/address-guard.ts';
import { explainUnreachable } from './cluster-errors.ts';
import { type KubeconfigOptions, loadKubeconfig } from './load-kubeconfig.ts';
import type { ClusterAnswer } from './read-answer.ts';

export interface ConnectionOptions extends KubeconfigOptions {
  /** Whether the cluster may have a private address. */
  readonly allowPrivate: boolean;
}

const ANSWER_MS = 15_000;
const KEEP_ALIVE_MS = 15_000;

/**
 * The way to one cluster. Credentials are applied to each request anew, so that renewed ones are used; the kubeconfig is
 * read again after the cluster refused them.
 */
export class ClusterConnection {
  readonly #options: ConnectionOptions;
  #config: Promise<KubeConfig> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Sends a GET; settles when the answer begins.
   * @param path with its query, from `/apis` on
   * @param idleMs how long the answer may be silent
   * @throws BerthError `source_kubernetes_kubeconfig`, `..._not_in_cluster`, `..._unreachable`
   */
  async get(path: string, signal: AbortSignal, idleMs = 30_000): Promise<ClusterAnswer> {
    const config = await this.#load();
    const server = config.getCurrentCluster()?.server ?? '';
    const url = new URL(server.replace(/\/+$/, '') + path);
    const options: RequestOptions = { headers: { Accept: 'application/json', 'User-Agent': 'berth' } };
    try {
      await config.applyToHTTPSOptions(options);
    } catch (cause) {
      this.#config = undefined;
      throw new BerthError(
        'source_kubernetes_kubeconfig',
        'The credentials that the kubeconfig or the service account names cannot be read.',
        { fix: 'Check the certificate, key and token files it names.', cause },
      );
    }
    try {
      const body = await sendRequest(url, { ...options, ...this.#guard(url), signal, timeout: idleMs });
      if (body.statusCode === 401) this.#config = undefined;
      return { status: body.statusCode ?? 0, body };
    } catch (error) {
      throw explainUnreachable(error, url.host);
    }
  }

  async #load(): Promise<KubeConfig> {
    const loading = this.#config ?? loadKubeconfig(this.#options);
    this.#config = loading;
    try {
      return await loading;
    } catch (error) {
      if (this.#config === loading) this.#config = undefined;
      throw error;
    }
  }

  #guard(url: URL): Pick<RequestOptions, 'lookup'> {
    if (this.#options.allowPrivate) return {};
    if (isAddressLiteral(url.hostname) && !isAddressAllowed(url.hostname, 'public'))
      throw refuseAddress(url.hostname);
    return { lookup: createGuardedLookup('public', resolveWithSystem) };
  }
}

function sendRequest(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const request = send(url, options);
    const silence = () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(silence, ANSWER_MS);
    request.on('timeout', silence);
    request.on('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
    request.on('response', (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    request.end();
  });
}
