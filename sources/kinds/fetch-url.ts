import { posix } from 'node:path';
import type { FileSource } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import { isLoopbackName } from '../net/address-guard.ts';
import { digestBytes, digestPairs } from './digest-files.ts';
import type { FetchContext, Fetched } from './fetched.ts';

/** What the last answer for a URL said about itself, so that the next request can ask for changes only. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  /** Digest of the content they stand for. */
  readonly digest: string;
}

export type ValidatorStore = Pick<Map<string, Validators>, 'get' | 'set'>;

/**
 * Fetches a catalog over http(s) with a conditional request (contract 2). User name and password in the URL are sent
 * as Basic authentication and shown nowhere.
 *
 * @param url with the settings that go with it
 * @throws BerthError `source_url_insecure`, `source_not_found`, `source_denied`, `source_unreachable`,
 *   `source_timeout`, `source_too_large`, `source_redirect`, `source_private_address`
 */
export async function fetchUrl(
  url: string,
  source: Pick<FileSource, 'insecure'>,
  fetch: typeof globalThis.fetch,
  store: ValidatorStore,
  context: Pick<FetchContext, 'knownDigest' | 'signal'>,
): Promise<Fetched | 'unchanged'> {
  const target = new URL(url);
  const shown = `${target.origin}${target.pathname}`;
  if (target.protocol === 'http:' && !isLoopbackName(target.hostname) && source.insecure !== true) {
    throw new BerthError('source_url_insecure', 'Plain http is refused for a host that is not loopback.', {
      at: { url: shown },
      fix: 'Use https, or set `insecure: true` on the source.',
    });
  }
  const headers = new Headers({ accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' });
  if (target.username !== '' || target.password !== '') {
    const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
    target.username = '';
    target.password = '';
  }
  const last = store.get(url);
  const conditional = last !== undefined && last.digest === context.knownDigest;
  if (conditional && last.etag !== undefined) headers.set('if-none-match', last.etag);
  else if (conditional && last.lastModified !== undefined)
    headers.set('if-modified-since', last.lastModified);

  try {
    const signal = context.signal === undefined ? {} : { signal: context.signal };
    const response = await fetch(target.href, { headers, ...signal });
    if (response.status === 304 && conditional) return 'unchanged';
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refuseStatus(response.status, shown);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    const path = posix.basename(target.pathname) || 'catalog';
    const digest = digestPairs([[path, digestBytes(bytes)]]);
    const etag = response.headers.get('etag') ?? undefined;
    const lastModified = response.headers.get('last-modified') ?? undefined;
    store.set(url, {
      digest,
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { lastModified }),
    });
    if (digest === context.knownDigest) return 'unchanged';
    const files = { [path]: digestBytes(bytes) };
    return {
      layout: 'file',
      files: [{ path, bytes }],
      origin: { kind: 'file', url: shown, ...(etag === undefined ? {} : { etag }), files },
      digest,
    };
  } catch (error) {
    if (error instanceof BerthError && error.code.startsWith('net_')) {
      throw new BerthError(`source_${error.code.slice(4)}`, error.message, {
        at: { url: shown },
        cause: error,
        ...(error.fix === undefined ? {} : { fix: error.fix }),
      });
    }
    throw error;
  }
}

function refuseStatus(status: number, shown: string): BerthError {
  const at = { url: shown };
  if (status === 404 || status === 410) {
    return new BerthError('source_not_found', `The server answers ${status}: there is no such file.`, {
      at,
      fix: 'Correct `url`.',
    });
  }
  if (status === 401 || status === 403) {
    return new BerthError('source_denied', `The server answers ${status}: access is refused.`, {
      at,
      fix: 'Give a URL that may be read.',
    });
  }
  return new BerthError('source_unreachable', `The server answers ${status} instead of 200.`, {
    at,
    fix: 'Check the server; the source is tried again at the next interval.',
  });
}
