import { UsageError } from '../usage-error.ts';

/**
 * Reads `--base`: `catalog`, `/catalog` and `/catalog/` are the same.
 * @returns the path beginning and ending in `/`
 * @throws UsageError for a URL, a query and what is no path
 */
export function readBasePath(given: string): string {
  const path = `/${given.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/');
  const isPath = new URL(path, 'http://export.invalid').pathname === path;
  if (isPath && !path.includes('//') && !given.includes(':')) return path;
  throw new UsageError(`"${given}" is no path.`, {
    at: { flag: '--base' },
    fix: 'Write it as /catalog/, without host and query.',
  });
}
