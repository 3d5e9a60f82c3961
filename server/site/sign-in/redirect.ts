/** Sends a browser on, with cookies to keep or forget; kept by no cache. */
export function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store', 'Content-Length': '0' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  // 303: whatever the method was, the next request is a GET.
  return new Response(null, { status: 303, headers });
}
