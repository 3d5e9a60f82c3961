/** Where signing in begins, to come back to a page afterwards. */
export function signInHref({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const isOwn = pathname === '/site-problem' || pathname.startsWith('/sign-');
  return `/sign-in?return=${encodeURIComponent(isOwn ? '/' : `${pathname}${search}`)}`;
}
