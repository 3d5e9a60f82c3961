import { BerthError } from '../../errors.ts';
import { isLoopbackName } from '../../net/address-guard.ts';

/** Where a registry is. */
export interface Endpoint {
  /** Without credentials, query and trailing slash; paths are appended. Fit to be shown. */
  readonly base: string;
  /** The header value of credentials written into the URL. */
  readonly basic?: string;
}

/**
 * Reads the base URL of a registry. User name and password in it are sent as Basic authentication and shown nowhere.
 *
 * @param hasAuth whether `auth` is configured, which then counts instead of credentials in the URL
 * @throws BerthError `source_url_insecure` when credentials would travel over plain http to another machine
 */
export function readEndpoint(endpoint: string, hasAuth: boolean): Endpoint {
  const url = new URL(endpoint);
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const inUrl = url.username !== '' || url.password !== '';
  if (hasAuth || inUrl) refuseOpenLine(url, base);
  if (hasAuth || !inUrl) return { base };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { base, basic: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** @throws BerthError `source_url_insecure` for a URL to which no credential may be sent */
export function refuseOpenLine(url: URL, shown: string): void {
  if (url.protocol === 'https:' || isLoopbackName(url.hostname)) return;
  throw new BerthError(
    'source_url_insecure',
    'Credentials are not sent over plain http to a host that is not loopback.',
    {
      at: { url: shown },
      fix: 'Use https, or remove the credentials.',
    },
  );
}
