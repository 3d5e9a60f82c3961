import type { Happened } from '../observe/observed.ts';

/** A page, its label for metrics and what the audit log calls reading it. */
interface SiteRoute {
  readonly pattern: RegExp;
  readonly describe: (groups: Readonly<Record<string, string>>) => Happened;
}

const NAME = '(?<namespace>[^/]+)/(?<name>[^/]+)';

const ROUTES: readonly SiteRoute[] = [
  page(/^\/$/, '/'),
  page(/^\/(?:account|admin|catalog)\/?$/, undefined),
  page(/^\/admin\/.+$/, '/admin/{page}'),
  page(/^\/sign-in(?:\/callback)?$/, undefined),
  page(/^\/sign-out$/, '/sign-out'),
  {
    pattern: /^\/catalog\/(?<registry>[^/]+)\/?$/,
    describe: ({ registry = '' }) => ({
      route: '/catalog/{registry}',
      event: { type: 'server.list', registry, resourceType: 'server' },
    }),
  },
  {
    pattern: new RegExp(
      `^/catalog/(?<registry>[^/]+)/(?<kind>servers|skills)/${NAME}(?:/(?<version>[^/]+))?/?$`,
    ),
    describe: ({ registry = '', kind, namespace, name, version }) => {
      const type = kind === 'skills' ? 'skill' : 'server';
      return {
        route: `/catalog/{registry}/${type}s/{name}`,
        event: {
          type: `${type}.read`,
          registry,
          resourceType: type,
          resourceName: `${namespace}/${name}`,
          version: version ?? 'latest',
        },
      };
    },
  },
  page(/^\/catalog\/.+$/, '/catalog/{other}'),
  page(/^\/docs(?:\/.*)?$/, '/docs/{page}'),
  page(/^\/(?:_astro|pagefind)\/.+$/, '/{asset}'),
  page(/^\/favicon\.svg$/, '/favicon.svg'),
];

/**
 * What a request path is for the site, or undefined when it is none of its own.
 * @param path decoded, without the query
 */
export function describeSitePath(path: string): Happened | undefined {
  for (const { pattern, describe } of ROUTES) {
    const match = pattern.exec(path);
    if (match) return describe(match.groups ?? {});
  }
  return undefined;
}

/**
 * The path of the API that gives what a page shows: where that one needs no token, the page needs none either.
 * @param path decoded
 */
export function apiPathOf(path: string): string {
  const [, registry] = /^\/catalog\/([^/]+)/.exec(path) ?? [];
  return registry === undefined ? '/registry' : `/registry/${encodeURIComponent(registry)}/v0.1/servers`;
}

/** Whether forms are posted to a path. */
export function takesForms(path: string): boolean {
  return path === '/sign-out' || /^\/admin(?:\/|$)/.test(path);
}

function page(pattern: RegExp, route: string | undefined): SiteRoute {
  return { pattern, describe: () => ({ route: route ?? '/{page}' }) };
}
