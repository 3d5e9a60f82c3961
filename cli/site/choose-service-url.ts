import type { Config } from '../../sources/config/schema.ts';

/** Where the service of an export answers. */
export interface ServiceUrl {
  /** Without a slash at the end. */
  readonly serviceUrl: string;
  /** Nothing is configured: it is where `berth serve` listens by default. */
  readonly isGuessed: boolean;
}

const DEFAULT = 'http://127.0.0.1:8080';

/** The address that what is copied from an exported page names: the one the live site would have. */
export function chooseServiceUrl({ site, auth }: Pick<Config, 'site' | 'auth'>): ServiceUrl {
  const configured = site.baseUrl ?? (auth?.mode === 'anonymous' ? undefined : auth?.oauth?.resourceUrl);
  return { serviceUrl: (configured ?? DEFAULT).replace(/\/+$/, ''), isGuessed: configured === undefined };
}
