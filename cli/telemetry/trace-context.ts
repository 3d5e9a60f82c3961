import { type Context, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import { readTraceParent } from '../../server/observe/trace-parent.ts';
import type { Exchange } from '../proxy/exchange.ts';
import { compilePaths, findSpans } from '../proxy/json/find-spans.ts';
import { type Edit, splice } from '../proxy/json/splice.ts';

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
  // Nothing behind this reads the trace again, so what was read of the message stays.
  if (body) exchange.mcp = { ...mcp, body };
}

/** The body with the trace in `params._meta`; undefined when there is no object to put it into. */
export function writeMeta(
  body: Buffer,
  traceparent: string,
  tracestate: string | undefined,
): Buffer | undefined {
  const fields = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  const [whole, params, meta, ...given] = findSpans(body, PLACES);
  if (meta === undefined) {
    const member = `"_meta":${JSON.stringify(fields)}`;
    if (params !== undefined) return insertFirst(body, params, member);
    return whole && insertFirst(body, whole, `"params":{${member}}`);
  }
  const edits: Edit[] = [];
  const missing: string[] = [];
  for (const [place, [name, value]] of Object.entries(fields).entries()) {
    const span = given[place];
    if (span === undefined) missing.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    else edits.push({ ...span, text: JSON.stringify(value) });
  }
  if (missing.length === 0) return splice(body, edits);
  return insertFirst(body, meta, missing.join(','), edits);
}

/** Where members are looked for: `traceparent` and `tracestate` last, in this order. */
const PLACES = compilePaths([
  [],
  ['params'],
  ['params', '_meta'],
  ['params', '_meta', 'traceparent'],
  ['params', '_meta', 'tracestate'],
]);

/** Puts members first into the object at `span`, beside other edits; undefined when there is no object. */
function insertFirst(
  body: Buffer,
  span: { readonly start: number; readonly end: number },
  members: string,
  others: readonly Edit[] = [],
): Buffer | undefined {
  if (body[span.start] !== 0x7b) return undefined;
  const isEmpty =
    body
      .subarray(span.start + 1, span.end - 1)
      .toString()
      .trim() === '';
  const at = span.start + 1;
  return splice(body, [{ start: at, end: at, text: isEmpty ? members : `${members},` }, ...others]);
}

function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
