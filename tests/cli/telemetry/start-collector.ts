import { onTestFinished } from 'vitest';
import { startServer } from '../proxy/mcp-server.ts';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly status: number | undefined;
  readonly traceState: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Point {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  /** Of a sum; the count of a histogram. */
  readonly value: number;
}

export interface Collector {
  readonly url: string;
  readonly requests: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[];
  readonly spans: Span[];
  readonly points: Point[];
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const read = (pairs: readonly Pair[] = []): Record<string, unknown> =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      'intValue' in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  );

/** An OTLP collector on loopback that decodes what arrives, for as long as the running test. */
export async function startCollector(status = 200): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const spans: Span[] = [];
  const points: Point[] = [];
  const server = await startServer((request, response, body) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body.toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap((scope: { spans: object[] }) => scope.spans)) {
        const { attributes, parentSpanId, status, ...rest } = span;
        spans.push({
          ...rest,
          parentSpanId: parentSpanId || undefined,
          status: status?.code,
          attributes: read(attributes),
          resource: read(resource.attributes),
        });
      }
    }
    for (const { resource, scopeMetrics } of resourceMetrics) {
      for (const metric of scopeMetrics.flatMap((scope: { metrics: object[] }) => scope.metrics)) {
        const { dataPoints } = metric.sum ?? metric.histogram;
        for (const point of dataPoints) {
          points.push({
            metric: metric.name,
            unit: metric.unit,
            attributes: read(point.attributes),
            resource: read(resource.attributes),
            value: Number(point.asInt ?? point.asDouble ?? point.count),
          });
        }
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  onTestFinished(() => server.close());
  return { url: server.origin, requests, spans, points };
}
