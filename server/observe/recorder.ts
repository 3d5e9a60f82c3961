import type { Identity } from '../auth/identity.ts';
import type { PlainRequest } from '../http/answer.ts';
import type { Audit } from './audit.ts';
import { outcomeOf } from './audit-event.ts';
import type { Metrics } from './metrics.ts';
import type { Happened } from './observed.ts';
import type { RequestSpan, Tracing } from './tracing.ts';

/** A request as it is recorded when it is over. */
export interface RecordedRequest {
  readonly request: PlainRequest;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** `performance.now()` at its start. */
  readonly started: number;
  readonly span: RequestSpan | undefined;
  identity: Identity | undefined;
}

/** Metrics, trace and audit of a finished request, in one place. */
export class Recorder {
  readonly #audit: Audit;
  readonly #metrics: Metrics;
  readonly #tracing: Tracing;

  constructor(audit: Audit, metrics: Metrics, tracing: Tracing) {
    this.#audit = audit;
    this.#metrics = metrics;
    this.#tracing = tracing;
  }

  start(request: PlainRequest, requestId: string, remoteAddress: string): RecordedRequest {
    const span = this.#tracing.startRequest({
      method: request.method,
      path: request.path,
      requestId,
      traceparent: request.header('traceparent'),
      tracestate: request.header('tracestate'),
    });
    return { request, requestId, remoteAddress, started: performance.now(), span, identity: undefined };
  }

  finish(recorded: RecordedRequest, happened: Happened, status: number, responseBytes: number): void {
    const { request, started, span } = recorded;
    const duration = performance.now() - started;
    this.#metrics.observeRequest(request.method, happened.route, status, duration / 1000);
    span?.end(happened.route, status);
    const event =
      status === 401 ? { ...happened.event, type: 'auth.unauthenticated' as const } : happened.event;
    if (!event || !this.#audit.wants(event.type)) return;
    this.#audit.record({
      ...event,
      outcome: outcomeOf(status),
      remoteAddress: recorded.remoteAddress,
      userAgent: request.header('user-agent'),
      subject: recorded.identity?.subject,
      roles: recorded.identity?.roles,
      method: request.method,
      path: request.path,
      durationMs: duration,
      responseBytes,
      requestId: recorded.requestId,
    });
  }
}
