import type { Answer, PlainRequest } from './answer.ts';

/** A web-standard request as the surfaces read it. */
export function asWebRequest(request: Request): PlainRequest {
  const url = request.url;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const target = start < 0 ? '/' : url.slice(start).replace(/#.*$/s, '');
  const mark = target.indexOf('?');
  return {
    method: request.method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    header: (name) => request.headers.get(name) ?? undefined,
  };
}

/** An answer as a web-standard response, with its length, which the audit log tells too. */
export function asWebResponse(answer: Answer, method = 'GET'): Response {
  const body = method === 'HEAD' || answer.body === undefined ? null : answer.body;
  const bytes = body === null || typeof body === 'string' ? body : new Uint8Array(body);
  const length =
    answer.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(answer.body)) };
  return new Response(bytes, { status: answer.status, headers: { ...length, ...answer.headers } });
}
