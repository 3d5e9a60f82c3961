/** The cookies of a request by name; of a name that comes twice the first, which has the longer path. */
export function readCookies(request: Request): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const mark = pair.indexOf('=');
    const name = pair.slice(0, mark).trim();
    if (mark > 0 && !cookies.has(name)) cookies.set(name, pair.slice(mark + 1).trim());
  }
  return cookies;
}

/** How cookies are named and marked for the address people use. */
export interface CookieStyle {
  /** `__Host-` where the browser can hold us to it: then no other host of the domain can set such a cookie. */
  readonly prefix: '__Host-' | '';
  readonly isSecure: boolean;
}

/** @param baseUrl where people reach this service */
export function chooseCookieStyle(baseUrl: string): CookieStyle {
  const isSecure = baseUrl.startsWith('https:');
  return { prefix: isSecure ? '__Host-' : '', isSecure };
}

/**
 * A `Set-Cookie` value. Scripts never see the cookie, and other sites can send it with nothing but a link.
 * @param maxAge seconds; undefined until the browser closes
 */
export function writeCookie(
  name: string,
  value: string,
  { isSecure }: CookieStyle,
  maxAge: number | undefined,
): string {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) parts.push('Secure');
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  return parts.join('; ');
}

/** A `Set-Cookie` value that makes the browser forget a cookie. */
export function clearCookie(name: string, style: CookieStyle): string {
  return writeCookie(name, '', style, 0);
}
