import type { RequestListener } from 'node:http';
import { chooseRequestId } from '../http/request-id.ts';
import { answerInternal, type InternalDeps } from './answer-internal.ts';

/** The request listener of the internal server (`--internal-address`, contract 9). Bodies are never read. */
export function createInternalListener(deps: InternalDeps): RequestListener {
  return async (request, response) => {
    const presented = request.headers['x-request-id'];
    const requestId = chooseRequestId(typeof presented === 'string' ? presented : undefined);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const answer = await answerInternal(request.method ?? 'GET', path, requestId, deps);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
}
