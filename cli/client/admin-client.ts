import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import { showText } from '../show-text.ts';
import { UsageError } from '../usage-error.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';
const TIMEOUT_MS = 30_000;
/** What a header can carry; empty in the environment means none. */
const TOKEN = /^[\x21-\x7e]*$/;

export interface AdminTarget {
  readonly registryUrl: string | undefined;
  readonly tokenFile: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AdminAnswer {
  readonly status: number;
  readonly location: string | undefined;
  /** The JSON body; undefined for 204. */
  readonly body: unknown;
}

const problemSchema = z.object({ detail: z.string(), code: z.string() }).partial();

/** Calls the admin API of a running registry service as whoever the token says. */
export class AdminClient {
  readonly #base: string;
  readonly #token: string | undefined;

  private constructor(base: string, token: string | undefined) {
    this.#base = base;
    this.#token = token;
  }

  /** @throws UsageError for an address that is no URL; BerthError `token_file_unreadable`, `token_unusable` */
  static async open({ registryUrl, tokenFile, env }: AdminTarget): Promise<AdminClient> {
    const base = registryUrl ?? env.BERTH_REGISTRY_URL ?? DEFAULT_URL;
    if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
      throw new UsageError(`"${base}" is no http or https URL.`, {
        at: { flag: '--registry-url' },
        fix: 'Write it as https://mcp.example.com.',
      });
    }
    const token = tokenFile === undefined ? env.BERTH_REGISTRY_TOKEN?.trim() : await readToken(tokenFile);
    if (token !== undefined && !TOKEN.test(token)) throw unusableToken(tokenFile);
    // A base that names a registry is meant for consumers; the admin API is beside it.
    return new AdminClient(base.replace(/\/registry\/[^/]+\/?$/, '').replace(/\/+$/, ''), token || undefined);
  }

  /**
   * @param path from `/v1`, encoded
   * @throws BerthError `registry_unreachable`, `registry_refused` with what the service said
   */
  async call(method: string, path: string, body?: unknown): Promise<AdminAnswer> {
    const url = `${this.#base}${path}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      throw new BerthError('registry_unreachable', 'The registry service does not answer.', {
        at: { url: this.#base },
        fix: 'Check --registry-url and that the service runs.',
        cause,
      });
    }
    const text = await response.text();
    if (response.ok) {
      const location = response.headers.get('location') ?? undefined;
      return { status: response.status, location, body: text === '' ? undefined : readJson(text) };
    }
    throw refused(response.status, url, text);
  }

  /**
   * Reads something.
   * @throws BerthError as `call`, and `registry_unknown` when something else than a registry service answers
   */
  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const { body } = await this.call('GET', path);
    const read = schema.safeParse(body);
    if (!read.success) throw notARegistry(this.#base + path);
    return read.data;
  }
}

/** What answers is no registry service, or not one that this command knows. */
export function notARegistry(url: string): BerthError {
  return new BerthError(
    'registry_unknown',
    'What answers there is not the admin API of a registry service.',
    {
      at: { url },
      fix: 'Check --registry-url: it names the service itself, as in https://mcp.example.com.',
    },
  );
}

async function readToken(file: string): Promise<string> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (token !== '') return token;
  } catch (cause) {
    throw new BerthError('token_file_unreadable', 'The token file cannot be read.', {
      at: { file },
      fix: 'Check the path after --token-file.',
      cause,
    });
  }
  throw unusableToken(file);
}

function unusableToken(file: string | undefined): BerthError {
  const where = file === undefined ? { flag: 'BERTH_REGISTRY_TOKEN' } : { file };
  return new BerthError('token_unusable', 'There is no access token, or more than one line of it.', {
    at: where,
    fix: 'Put the token there and nothing else.',
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(status: number, url: string, text: string): BerthError {
  const problem = problemSchema.safeParse(readJson(text));
  const detail = showText(problem.data?.detail ?? 'it gave no reason');
  const fix = status === 401 ? 'Sign in and hand the token over with --token-file.' : undefined;
  return new BerthError(
    problem.data?.code ?? 'registry_refused',
    `The registry service answered ${status}: ${detail}`,
    {
      at: { url },
      ...(fix ? { fix } : {}),
    },
  );
}
