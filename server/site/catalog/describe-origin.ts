import type { OriginLines } from '../catalog-reader.ts';
import { asObject, textOf } from './read-item.ts';

/** How a commit is shown, by what a host is called. */
const COMMIT_PAGES: readonly (readonly [host: RegExp, path: string])[] = [
  [/^(?:www\.)?github\.com$|^github\./, '/commit/'],
  [/^gitlab\.com$|^gitlab\./, '/-/commit/'],
  [/^(?:gitea\.com|codeberg\.org)$|^(?:gitea|forgejo)\./, '/commit/'],
];

/** Reads the `dev.berth/origin` block of a segment. */
export function describeOrigin(json: string): OriginLines {
  const { source, bundle, commit, ...rest } = asObject(JSON.parse(json));
  return {
    source: textOf(source) ?? '',
    bundle: textOf(bundle),
    commit: textOf(commit),
    commitUrl: commitUrl(rest.repository, commit),
    rest: Object.entries(rest).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  };
}

/** The page of a commit, where the host of the repository is known to have one; credentials of its URL are left out. */
export function commitUrl(repository: unknown, commit: unknown): string | undefined {
  if (typeof commit !== 'string' || !/^[0-9a-f]{7,64}$/.test(commit)) return undefined;
  if (typeof repository !== 'string' || !URL.canParse(repository)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(repository);
  const page = COMMIT_PAGES.find(([pattern]) => pattern.test(hostname))?.[1];
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  return protocol === 'https:' && page !== undefined && path !== ''
    ? `https://${host}${path}${page}${commit}`
    : undefined;
}
