import { type Context, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import { readTraceParent } from '../../server/observe/trace-parent.ts';
import type { Exchange } from '../proxy/exchange.ts';
import { findSpan } from '../proxy/json/find-spans.ts';
import { splice } from '../proxy/json/splice.ts';
import { readMcpRequest } from '../proxy/read-mcp-request.ts';

/** The trace a request belongs to: of `params._meta` where MCP puts it, else of the HTTP headers (W3C, contract 5). */
export function readParent({ request, mcp }: Exchange): Context {
  const meta = readObject(mcp?.params?._meta);
  const fromMeta = readTraceParent(readText(meta?.traceparent), readText(meta?.tracestate));
  const parent =
    fromMeta ?? readTraceParent(readText(request.headers.traceparent), readText(request.headers.tracestate));
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/**
 * Hands the trace on to the server: as headers, and in `params._meta` of a request, which is all a server on standard
 * streams can see. Everything else of the body keeps its bytes.
 */
export function handOnTrace(exchange: Exchange, span: SpanContext): void {
  const traceparent = `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = span.traceState?.serialize();
  exchange.outgoing.set('traceparent', traceparent);
  if (tracestate) exchange.outgoing.set('tracestate', tracestate);
  const { mcp } = exchange;
  if (mcp?.method === undefined || mcp.id === undefined || mcp.isBatch) return;
  const body = writeMeta(mcp.body, traceparent, tracestate || undefined);
  const changed = body && readMcpRequest(body);
  if (changed) exchange.mcp = changed;
}

/** The body with the trace in `params._meta`; undefined when there is no object to put it into. */
export function writeMeta(
  body: Buffer,
  traceparent: string,
  tracestate: string | undefined,
): Buffer | undefined {
  const fields = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  const meta = findSpan(body, ['params', '_meta']);
  if (meta === undefined) {
    const params = findSpan(body, ['params']);
    const member = `"_meta":${JSON.stringify(fields)}`;
    if (params !== undefined) return insertFirst(body, params, member);
    const whole = findSpan(body, []);
    return whole && insertFirst(body, whole, `"params":{${member}}`);
  }
  const edits: { start: number; end: number; text: string }[] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const span = findSpan(body, ['params', '_meta', name]);
    if (span === undefined) missing.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    else edits.push({ ...span, text: JSON.stringify(value) });
  }
  const replaced = edits.length === 0 ? body : splice(body, edits);
  if (missing.length === 0) return replaced;
  const place = findSpan(replaced, ['params', '_meta']);
  return place && insertFirst(replaced, place, missing.join(','));
}

/** Puts members first into the object at `span`; undefined when there is none. */
function insertFirst(
  body: Buffer,
  span: { readonly start: number; readonly end: number },
  members: string,
): Buffer | undefined {
  if (body[span.start] !== 0x7b) return undefined;
  const isEmpty =
    body
      .subarray(span.start + 1, span.end - 1)
      .toString()
      .trim() === '';
  const at = span.start + 1;
  return splice(body, [{ start: at, end: at, text: isEmpty ? members : `${members},` }]);
}

function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
