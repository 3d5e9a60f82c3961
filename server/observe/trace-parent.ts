import { createTraceState, type SpanContext, TraceFlags } from '@opentelemetry/api';

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/**
 * Reads the W3C `traceparent` and `tracestate` headers; undefined when there is no valid parent, as the standard asks
 * (a new trace is then started).
 */
export function readTraceParent(
  traceparent: string | undefined,
  tracestate: string | undefined,
): SpanContext | undefined {
  const match = traceparent === undefined ? null : TRACE_PARENT.exec(traceparent.trim());
  if (!match) return undefined;
  const [text, version, traceId = '', spanId = '', flags = ''] = match;
  const tooLong = version === '00' && text.length > 55;
  if (version === 'ff' || tooLong || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
}
