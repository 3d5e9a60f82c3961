import { type AuthResult, isFailure } from '../auth/identity.ts';
import type { Answer, PlainRequest } from '../http/answer.ts';
import { CORS_HEADERS } from '../http/cors.ts';
import { answerProblem, HttpError } from '../http/problem.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { withTimeout } from '../http/with-timeout.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { type Observed, OTHER_ROUTE } from '../observe/observed.ts';
import type { RecordedRequest } from '../observe/recorder.ts';
import type { Runtime } from '../runtime.ts';
import { answerPreflight } from './consumer.ts';

const ERROR_HEADERS = { ...SECURITY_HEADERS, ...CORS_HEADERS };

export interface AnswerDeps {
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Answers a request below `/registry/`: authentication, rate limit, the consumer API, errors, and the record of it
 * all. For a remembered caller nothing here waits: the answer comes at once, not as a promise.
 */
export function answerConsumer(
  runtime: Runtime,
  deps: AnswerDeps,
  request: PlainRequest,
  requestId: string,
  remoteAddress: string,
): Answer | Promise<Answer> {
  if (request.method === 'OPTIONS') return answerPreflight();
  const recorded = runtime.recorder.start(request, requestId, remoteAddress);
  const result = runtime.authenticator.authenticate(request.header('authorization'), request.path);
  if (!(result instanceof Promise) && !runtime.countRequest) return conclude(runtime, deps, recorded, result);
  const limit = runtime.loaded.config.limits.requestTimeout;
  return withTimeout(admit(runtime, Promise.resolve(result), recorded), limit).then(
    (settled) => conclude(runtime, deps, recorded, settled),
    (error: unknown) => fail(runtime, deps, recorded, { happened: { route: OTHER_ROUTE } }, error),
  );
}

async function admit(
  runtime: Runtime,
  pending: Promise<AuthResult>,
  recorded: RecordedRequest,
): Promise<AuthResult> {
  const result = await pending;
  const subject = isFailure(result) || result.anonymous ? undefined : result.subject;
  await runtime.countRequest?.(subject, recorded.remoteAddress);
  return result;
}

function conclude(runtime: Runtime, deps: AnswerDeps, recorded: RecordedRequest, result: AuthResult): Answer {
  const observed: Observed = { happened: { route: OTHER_ROUTE } };
  try {
    if (isFailure(result)) {
      deps.metrics.countAuthFailure(result.reason);
      observed.happened = { route: OTHER_ROUTE, event: { type: 'auth.unauthenticated' } };
      throw new HttpError(401, 'unauthenticated', result.description, {
        headers: { 'WWW-Authenticate': runtime.authenticator.challenge(result) },
      });
    }
    recorded.identity = result;
    const answer = runtime.consumer.handle(recorded.request, result, observed);
    runtime.recorder.finish(recorded, observed.happened, answer.status, sizeOf(answer));
    return answer;
  } catch (error) {
    return fail(runtime, deps, recorded, observed, error);
  }
}

function fail(
  runtime: Runtime,
  deps: AnswerDeps,
  recorded: RecordedRequest,
  observed: Observed,
  error: unknown,
): Answer {
  const known = error instanceof HttpError ? error : internalError(deps.log, recorded.requestId, error);
  const problem = answerProblem(known, recorded.requestId);
  const answer = { ...problem, headers: { ...ERROR_HEADERS, ...problem.headers } };
  runtime.recorder.finish(recorded, observed.happened, answer.status, sizeOf(answer));
  return answer;
}

function sizeOf({ body }: Answer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
}

/** What nobody foresaw: told to the log in full, to the client not at all. */
export function internalError(log: Log, requestId: string, error: unknown): HttpError {
  log.error({ err: error, request_id: requestId }, 'a request failed unexpectedly');
  return new HttpError(
    500,
    'internal_error',
    'Something went wrong here; the request id finds it in the log.',
  );
}
