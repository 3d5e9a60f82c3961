import type { Answer } from '../http/answer.ts';
import { answerProblem, HttpError } from '../http/problem.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import type { Log } from '../observe/log.ts';
import type { Exposition } from '../observe/metrics.ts';
import type { Readiness } from './readiness.ts';

export interface InternalDeps {
  readonly log: Log;
  readonly readReadiness: () => Readiness | Promise<Readiness>;
  readonly version: string;
  readonly commit?: string | undefined;
  /** Absent when metrics are switched off: `/metrics` is then 404. */
  readonly exposeMetrics?: (() => Promise<Exposition>) | undefined;
}

/**
 * Answers a request to the internal server (contract 9): `/health`, `/readiness`, `/version`, `/metrics`. Everything
 * that goes wrong is a problem answer; nothing is thrown.
 * @param path the raw path without the query
 */
export async function answerInternal(
  method: string,
  path: string,
  requestId: string,
  deps: InternalDeps,
): Promise<Answer> {
  const answer = await answerPath(method, path, requestId, deps).catch((error: unknown) =>
    answerProblem(asHttpError(error, deps.log), requestId),
  );
  const headers = {
    ...SECURITY_HEADERS,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...answer.headers,
  };
  const length = Buffer.byteLength(answer.body ?? '');
  const complete = { status: answer.status, headers: { ...headers, 'Content-Length': String(length) } };
  return method === 'HEAD' || answer.body === undefined ? complete : { ...complete, body: answer.body };
}

async function answerPath(
  method: string,
  path: string,
  requestId: string,
  deps: InternalDeps,
): Promise<Answer> {
  const answers: Readonly<Record<string, (() => Answer | Promise<Answer>) | undefined>> = {
    '/health': () => answerJson(200, { status: 'healthy' }),
    '/readiness': async () => answerReadiness(await deps.readReadiness(), requestId),
    '/version': () => answerJson(200, describeVersion(deps)),
    '/metrics': deps.exposeMetrics && answerMetrics(deps.exposeMetrics),
  };
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
  if (!answer) throw new HttpError(404, 'path_not_found', 'The internal server has no such path.');
  if (method !== 'GET' && method !== 'HEAD') {
    throw new HttpError(405, 'method_not_allowed', 'The internal server is only read.', {
      headers: { Allow: 'GET, HEAD' },
    });
  }
  return answer();
}

function answerReadiness({ ready, missing, notes }: Readiness, requestId: string): Answer {
  if (ready) return answerJson(200, { status: 'ready', ...(notes.length > 0 ? { notes } : {}) });
  const detail = `Not ready: ${missing.map((one) => one.replace(/\.$/, '')).join('; ') || 'starting'}.`;
  const problem = answerProblem(new HttpError(503, 'not_ready', detail), requestId);
  const body: Record<string, unknown> = JSON.parse(String(problem.body));
  return { ...problem, body: JSON.stringify({ ...body, missing, notes }) };
}

function describeVersion({ version, commit }: InternalDeps): object {
  return {
    version,
    ...(commit === undefined ? {} : { commit }),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

function answerMetrics(expose: () => Promise<Exposition>): () => Promise<Answer> {
  return async () => {
    const { contentType, text } = await expose();
    return { status: 200, headers: { 'Content-Type': contentType }, body: text };
  };
}

function answerJson(status: number, body: object): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function asHttpError(error: unknown, log: Log): HttpError {
  if (error instanceof HttpError) return error;
  log.error({ err: error }, 'The internal server failed to answer');
  return new HttpError(500, 'internal_error', 'The internal server failed to answer.', { cause: error });
}
