import type { Reply } from './ask-registry.ts';
import type { CheckUp } from './check-up.ts';

/** Clients that fetch inside a browser engine get nothing without these headers. */
export function checkCors(reply: Reply, checkUp: CheckUp): boolean {
  const origin = reply.headers.get('access-control-allow-origin');
  return checkUp.check(
    origin === '*',
    'CORS header',
    `${reply.target} has ${origin === null ? 'no Access-Control-Allow-Origin' : `Access-Control-Allow-Origin: ${origin}`} instead of *: clients that fetch inside a browser engine say "Failed to fetch"`,
  );
}

/** What a preflight must allow. */
export function checkPreflight(reply: Reply, checkUp: CheckUp): boolean {
  const list = (name: string) => (reply.headers.get(name) ?? '').toLowerCase();
  const methods = list('access-control-allow-methods');
  const headers = list('access-control-allow-headers');
  const allowed =
    methods.includes('get') && headers.includes('authorization') && headers.includes('content-type');
  return checkUp.check(
    reply.status < 300 && allowed,
    'CORS preflight',
    `OPTIONS ${reply.target} answers ${reply.status} without allowing GET with Authorization and Content-Type: send Access-Control-Allow-Methods: GET, OPTIONS and Access-Control-Allow-Headers: Authorization, Content-Type`,
  );
}
