import { BerthError, type BerthErrorOptions } from '../../sources/errors.ts';
import type { Answer } from './answer.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** What is wrong with one member of what was sent; `path` is empty for all of it. */
export interface MemberProblem {
  readonly path: string;
  readonly message: string;
}

interface HttpErrorOptions extends BerthErrorOptions {
  readonly headers?: Record<string, string>;
  readonly errors?: readonly MemberProblem[];
}

/** An error that has an HTTP status; `detail` goes to the client, so it never holds a secret or a host path. */
export class HttpError extends BerthError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Everything that is wrong, where `detail` can name only some of it. */
  readonly errors: readonly MemberProblem[] | undefined;

  constructor(status: number, code: string, detail: string, options: HttpErrorOptions = {}) {
    super(code, detail, options);
    this.status = status;
    this.headers = options.headers ?? {};
    this.errors = options.errors;
  }
}

/**
 * The one place where an error becomes an HTTP answer (contract 9): problem+json with `code`, and `error` for clients
 * of this API that read it.
 * @param requestId echoed in `instance`
 */
export function answerProblem(error: HttpError, requestId: string): Answer {
  const body = {
    type: `https://berth.dev/errors/${error.code}`,
    title: TITLES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    instance: `urn:request:${requestId}`,
    code: error.code,
    error: error.message,
    ...(error.errors ? { errors: error.errors } : {}),
  };
  return {
    status: error.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...error.headers },
    body: JSON.stringify(body),
  };
}
