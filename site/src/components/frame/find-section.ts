export type Section = 'catalog' | 'docs' | 'api' | 'admin' | 'account';

/** The part of the site a path belongs to, for the mark in the header; undefined for none. */
export function findSection(path: string): Section | undefined {
  if (path === '/' || path.startsWith('/catalog')) return 'catalog';
  if (path === '/docs/api') return 'api';
  if (path.startsWith('/docs')) return 'docs';
  if (path.startsWith('/admin')) return 'admin';
  return path.startsWith('/account') ? 'account' : undefined;
}
