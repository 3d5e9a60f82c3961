import { BerthError } from '../../errors.ts';
import type { Authorizer } from './authorizer.ts';
import { explainFailure, refuseAnswer } from './refuse-answer.ts';
import type { WalkBudget } from './walk-budget.ts';

export type Query = Readonly<Record<string, string>>;

export interface UpstreamAnswer {
  readonly status: number;
  /** What was asked, without query. */
  readonly url: string;
  /** The body of a 200, otherwise empty. */
  readonly text: string;
  /** The registry's clock: milliseconds since the epoch. */
  readonly date: number | undefined;
}

/** A registry that can be asked. */
export interface Upstream {
  /**
   * @param path below the base, encoded
   * @returns the answer: a 200, or a status that says no to this request
   * @throws BerthError `source_unreachable`, `source_timeout`, `source_too_large` and those of the authorizer
   */
  get(path: string, query: Query): Promise<UpstreamAnswer>;
  readonly budget: WalkBudget;
}

export interface UpstreamOptions {
  readonly base: string;
  readonly fetch: typeof globalThis.fetch;
  readonly authorizer: Authorizer;
  readonly budget: WalkBudget;
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly now: () => number;
}

const PASSING = new Set([429, 502, 503, 504]);
const WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const LONGEST_WAIT_OF_LIMIT_MS = 10_000;

/**
 * Makes a registry to ask. Each request is tried twice when the failure may pass (429, 502, 503, 504, network), after
 * the time the registry asks for; when that is long, the next sync is the second try.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { authorizer, budget, signal, wait } = options;

  const ask = async (url: string, query: string, authorization: string | undefined) => {
    const headers = new Headers({ accept: 'application/json' });
    if (authorization !== undefined) headers.set('authorization', authorization);
    const response = await options.fetch(`${url}${query}`, { headers, signal });
    const { status } = response;
    const bytes = status === 200 ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
    if (status !== 200) await response.body?.cancel();
    budget.takePage(bytes.byteLength, url);
    const answer: UpstreamAnswer = {
      status,
      url,
      text: new TextDecoder().decode(bytes),
      date: readTime(response.headers.get('date')),
    };
    return { answer, retryAfter: response.headers.get('retry-after') };
  };

  return {
    budget,
    async get(path, query) {
      const url = `${options.base}${path}`;
      let retried = false;
      let renewed = false;
      for (;;) {
        const authorization = await authorizer.authorize().catch((error: unknown) => {
          throw explainFailure(error, url);
        });
        try {
          const { answer, retryAfter } = await ask(url, writeQuery(query), authorization);
          const { status } = answer;
          if (status === 401 && !renewed && authorizer.renew(authorization)) {
            renewed = true;
            continue;
          }
          if (status < 500 && status !== 429) return answer;
          if (status === 501) return answer;
          const pause = PASSING.has(status) ? readPause(status, retryAfter, options.now()) : undefined;
          if (retried || pause === undefined) throw refuseAnswer(status, url);
          retried = true;
          await wait(pause, signal);
        } catch (error) {
          const passing = error instanceof BerthError && error.code === 'net_unreachable';
          if (retried || !passing) throw explainFailure(error, url);
          retried = true;
          await wait(WAIT_MS, signal);
        }
      }
    },
  };
}

/** Milliseconds to wait before the second try; undefined when the registry asks for more than is waited. */
function readPause(status: number, retryAfter: string | null, now: number): number | undefined {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : (readTime(text) ?? now) - now;
  const longest = status === 429 ? LONGEST_WAIT_OF_LIMIT_MS : LONGEST_WAIT_MS;
  return asked > longest ? undefined : Math.max(asked, WAIT_MS);
}

function readTime(text: string | null): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Blanks and slashes are percent-encoded, because cursors hold them and not every registry reads `+` as a blank. */
function writeQuery(query: Query): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
