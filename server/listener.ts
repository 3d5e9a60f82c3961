import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AppEnv } from './app-context.ts';
import { type AnswerDeps, answerConsumer } from './consumer/answer-consumer.ts';
import { REGISTRY_PREFIX } from './consumer/consumer.ts';
import type { Answer, PlainRequest } from './http/answer.ts';
import { chooseRequestId } from './http/request-id.ts';
import type { Runtime } from './runtime.ts';

/**
 * The request listener of the main server. The consumer API is answered straight from views, without the objects of
 * the web standards in between; everything else is the Hono app's.
 */
export function createListener(runtime: () => Runtime, deps: AnswerDeps, app: Hono<AppEnv>): RequestListener {
  const answerOthers = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (incoming, outgoing) => {
    const url = incoming.url ?? '/';
    if (!url.startsWith(REGISTRY_PREFIX)) {
      void answerOthers(incoming, outgoing);
      return;
    }
    const requestId = chooseRequestId(headerOf(incoming, 'x-request-id'));
    const address = incoming.socket.remoteAddress ?? '';
    const answer = answerConsumer(runtime(), deps, new NodeRequest(incoming, url), requestId, address);
    if (answer instanceof Promise)
      void answer.then((settled) => write(incoming, outgoing, settled, requestId));
    else write(incoming, outgoing, answer, requestId);
  };
}

/** A node request as the surfaces read it. */
class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage, url: string) {
    const mark = url.indexOf('?');
    this.#incoming = incoming;
    this.method = incoming.method ?? 'GET';
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }
}

function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const flat = new WeakMap<Answer['headers'], readonly string[]>();

/** Header objects of rendered pages are shared by many answers: their flat form is made once. */
function flatHeaders(headers: Answer['headers']): readonly string[] {
  const known = flat.get(headers);
  if (known) return known;
  const list = Object.entries(headers).flat();
  flat.set(headers, list);
  return list;
}

function write(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer, requestId: string): void {
  outgoing.writeHead(answer.status, [...flatHeaders(answer.headers), 'X-Request-Id', requestId]);
  if (answer.body === undefined || incoming.method === 'HEAD') outgoing.end();
  else outgoing.end(answer.body);
  // A body nobody reads would keep the connection from being used again.
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') incoming.resume();
}
