import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Exchange } from '../proxy/exchange.ts';
import type { Plan } from '../run/plan.ts';
import { describeExchange, describeOutcome, nameSpan } from './describe-exchange.ts';
import { readParent } from './trace-context.ts';

/**
 * One span for each exchange. It covers the whole chain, but its parent and name are in a message that is read in the
 * middle of it: so it is opened late, with the time of its beginning.
 */
export interface TrackedSpans {
  begin(exchange: Exchange): void;
  /** The span of an exchange whose message has been read. */
  open(exchange: Exchange): Span;
  end(exchange: Exchange, failed: boolean): void;
}

/** @param environment attributes that every span has */
export function trackSpans(tracer: Tracer, plan: Plan, environment: Attributes): TrackedSpans {
  const beginnings = new WeakMap<Exchange, number>();
  const spans = new WeakMap<Exchange, Span>();
  const open = (exchange: Exchange): Span => {
    const known = spans.get(exchange);
    if (known !== undefined) return known;
    const startTime = beginnings.get(exchange) ?? Date.now();
    const span = tracer.startSpan(
      nameSpan(exchange),
      { kind: SpanKind.SERVER, startTime },
      readParent(exchange),
    );
    if (span.isRecording()) span.setAttributes(describeExchange(exchange, plan, environment));
    spans.set(exchange, span);
    return span;
  };
  return {
    begin: (exchange) => void beginnings.set(exchange, Date.now()),
    open,
    end(exchange, failed) {
      const span = open(exchange);
      if (span.isRecording()) {
        span.setAttributes(describeOutcome(exchange, plan, failed));
        if (failed || exchange.response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}
