import type { AskingDeps } from './asking-deps.ts';
import { explainAnswer, notMcp, requireTarget, takeResult, unreachable } from './asking-errors.ts';
import { type Conversation, describe, initializeRequest } from './open-conversation.ts';
import { type Answer, createPoster, type Reply, readAnswer, readEvents } from './post-message.ts';
import { toTarget } from './sse-endpoint.ts';

/**
 * Shakes hands over HTTP+SSE.
 *
 * @throws BerthError as `openStreamable`
 */
export async function openSse(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
  const { options, pools } = deps;
  const target = requireTarget(deps);
  const stopper = new AbortController();
  const both = AbortSignal.any([signal, stopper.signal]);
  const post = createPoster(deps, both);
  const headers = {
    ...(await options.credentials?.()),
    accept: 'text/event-stream',
    host: options.hostHeader ?? target.host,
  };
  const path = target.pathname + target.search;
  const stream = await pools
    .find(target.origin)
    .request({ path, method: 'GET', headers, signal: both })
    .catch((error: unknown) => {
      throw unreachable(deps, error);
    });
  stream.body.on('error', () => undefined);
  if (stream.statusCode !== 200) {
    await stream.body.dump();
    throw explainAnswer(deps, {
      status: stream.statusCode,
      answer: undefined,
      sessionId: undefined,
      text: '',
    });
  }
  const events = readEvents(stream.body);
  const next = async (wanted: (type: string, data: Buffer) => boolean): Promise<Buffer> => {
    for (;;) {
      const step = await events.next().catch((error: unknown) => {
        throw unreachable(deps, error);
      });
      if (step.done) throw notMcp(deps, 'its event stream ended early');
      const { type, data } = step.value;
      if (data !== undefined && wanted(type, data)) return data;
    }
  };
  const close = async (): Promise<void> => {
    stopper.abort();
    stream.body.destroy();
  };
  try {
    const named = new URL((await next((type) => type === 'endpoint')).toString('utf8').trim(), target);
    const endpoint = toTarget(named, target, options.hostHeader);
    if (endpoint === undefined) throw notMcp(deps, 'it names an endpoint of another origin');
    const ask = async (message: Record<string, unknown>): Promise<Answer> => {
      const { status } = await post(endpoint, message, {});
      if (status >= 300) throw notMcp(deps, `it answered a message with ${status}`);
      const data = await next((_type, text) => readAnswer(text.toString('utf8'))?.id === message.id);
      return readAnswer(data.toString('utf8')) ?? {};
    };
    const reply = (answer: Answer): Reply => ({ status: 200, answer, sessionId: undefined, text: '' });
    const description = describe(takeResult(deps, reply(await ask(initializeRequest('2024-11-05')))));
    await post(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' }, {});
    let counter = 0;
    return {
      description,
      async request(method, params) {
        counter += 1;
        return takeResult(deps, reply(await ask({ jsonrpc: '2.0', id: `berth-${counter}`, method, params })));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
