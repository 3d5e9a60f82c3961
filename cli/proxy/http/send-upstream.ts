import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange.ts';
import type { AnswerHeaders } from './client-headers.ts';

export interface UpstreamRequest {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: string[];
  readonly body: Buffer | Readable | null;
}

/**
 * What is done with an answer whose head has arrived: `stream` sends its body on as it comes (the head was written),
 * `drop` wants none of it, a function reads the body and answers by itself, a tap is shown what is streamed, `whole`
 * gets the body in one piece and answers by itself.
 */
export type AnswerPlan =
  | 'stream'
  | 'drop'
  | { readonly tap: (chunk: Buffer) => void }
  | WholeBody
  | ((body: Readable) => Promise<void>);

/** Costs much less than a stream of its own for each answer. */
export interface WholeBody {
  readonly whole: (body: Buffer) => Promise<void>;
  /** More fails the answer. */
  readonly maxBytes: number;
}

/** The connection to the server failed. */
export class UpstreamError extends Error {
  /** Whether the head of an answer had arrived. */
  readonly hasBegun: boolean;
  constructor(cause: Error, hasBegun: boolean) {
    super(cause.message, { cause });
    this.name = 'UpstreamError';
    this.hasBegun = hasBegun;
  }
}

/**
 * Sends a request to the server and its answer to the client, as fast as the slower of both takes it. A client that
 * goes away ends the request to the server at once.
 *
 * @param decide told status and headers of the answer
 * @throws UpstreamError
 */
export function sendUpstream(
  { dispatcher, ...request }: UpstreamRequest,
  { response }: Exchange,
  decide: (status: number, headers: AnswerHeaders) => AnswerPlan,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let plan: AnswerPlan | undefined;
    let body: Readable | undefined;
    let collected: Buffer[] | undefined;
    let length = 0;
    let isOver = false;
    const finish = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      response.off('close', leave).off('drain', resume);
      settle();
    };
    const leave = (): void =>
      finish(() => {
        controller?.abort(new Error('the client went away'));
        body?.destroy();
        if (request.body instanceof Readable) request.body.destroy();
        resolve();
      });
    const fail = (error: unknown): void => {
      controller?.abort(new Error('the answer could not be sent on'));
      finish(() => reject(error));
    };
    const resume = (): void => controller?.resume();
    if (response.destroyed) return resolve();
    response.once('close', leave);
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (isOver) started.abort(new Error('the client went away'));
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200 || isOver) return;
        plan = decide(status, headers);
        if (typeof plan === 'object' && 'whole' in plan) collected = [];
        else if (plan === 'stream' || typeof plan === 'object') {
          response.on('drain', resume);
        } else if (plan === 'drop') {
          finish(() => {
            controller?.abort(new Error('the answer is not wanted'));
            resolve();
          });
        } else {
          body = new Readable({ read: resume });
          plan(body).then(() => finish(resolve), fail);
        }
      },
      onResponseData(_controller, chunk) {
        if (isOver) return;
        if (typeof plan === 'object') {
          if ('whole' in plan) {
            collected?.push(chunk);
            length += chunk.length;
            if (length > plan.maxBytes)
              fail(new Error('the answer of the server is too long to be filtered'));
            return;
          }
          plan.tap(chunk);
        }
        if (body) {
          if (!body.push(chunk)) controller?.pause();
        } else if (!response.write(chunk)) controller?.pause();
      },
      onResponseEnd() {
        if (body) body.push(null);
        else if (collected && typeof plan === 'object' && 'whole' in plan) {
          plan.whole(collected.length === 1 && collected[0] ? collected[0] : Buffer.concat(collected)).then(
            () => finish(resolve),
            (error: unknown) => finish(() => reject(error)),
          );
        } else {
          finish(() => {
            response.end();
            resolve();
          });
        }
      },
      onResponseError(_controller, error) {
        if (body) body.destroy(new UpstreamError(error, true));
        else finish(() => reject(new UpstreamError(error, plan !== undefined)));
      },
    });
  });
}
