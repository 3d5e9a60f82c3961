import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An OTLP/HTTP collector on loopback that keeps the spans it is sent. */
export interface TraceCollector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (request.url === '/v1/traces') spans.push(...readSpans(Buffer.concat(chunks).toString()));
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function readSpans(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body);
  const found: CollectedSpan[] = [];
  for (const { resource, scopeSpans } of resourceSpans) {
    const service = String(readAttributes(resource.attributes)['service.name']);
    for (const { spans } of scopeSpans) {
      for (const { traceId, parentSpanId, name, attributes } of spans) {
        found.push({ service, traceId, parentSpanId, name, attributes: readAttributes(attributes) });
      }
    }
  }
  return found;
}

function readAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
