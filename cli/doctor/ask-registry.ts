import { BerthError } from '../../sources/errors.ts';

/** What a registry answered. */
export interface Reply {
  /** As it was asked for, relative to the base. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface AskOptions {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** False leaves the token out. */
  readonly token?: boolean;
}

/** Asks for a path below the base, such as `/v0.1/servers?limit=1`, or for an absolute URL. */
export type Ask = (target: string, options?: AskOptions) => Promise<Reply>;

export interface AskerOptions {
  /** Without a slash at its end. */
  readonly base: string;
  readonly token: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
}

const MOST_BYTES = 32_000_000;

/**
 * Makes the one who asks. An answer of any status is an answer.
 *
 * Asking throws BerthError `registry_unreachable` when there is none, in time and of bounded size.
 */
export function createAsker({
  base,
  token,
  fetch = globalThis.fetch,
  timeoutMs = 10_000,
}: AskerOptions): Ask {
  return async (target, { method = 'GET', headers = {}, token: withToken = true } = {}) => {
    const url = /^https?:\/\//.test(target) ? target : base + target;
    // A token is for the registry, not for another host that an index points to.
    const own = new URL(url).origin === new URL(base).origin;
    const authorization = token !== undefined && withToken && own ? { Authorization: `Bearer ${token}` } : {};
    try {
      const response = await fetch(url, {
        method,
        headers: { Accept: 'application/json', ...headers, ...authorization },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const bytes = await readBody(response);
      return { target, status: response.status, headers: response.headers, bytes, json: parse(bytes) };
    } catch (error) {
      throw new BerthError('registry_unreachable', `No answer: ${explain(error, timeoutMs)}.`, {
        at: { url },
        fix: 'Check the URL, and that the registry is running and can be reached from here.',
        cause: error,
      });
    }
  };
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error(`the body has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function explain(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}
