import { readFile } from 'node:fs/promises';
import { Option } from 'clipanion';
import { parseDuration } from '../../sources/config/duration.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { UsageError } from '../usage-error.ts';

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*[:=]\s*([^\r\n\0]*)$/;

/** `--header NAME=VALUE`, as often as needed. */
export function headerOption(): string[] {
  return Option.Array('--header', [], { description: 'a header to send, as NAME=VALUE; repeatable' });
}

/** `--token-file FILE` for a proxy that wants an access token. */
export function serverTokenOption(): string | undefined {
  return Option.String('--token-file', {
    description: 'a file that holds the access token for the server',
  });
}

/** `--timeout DURATION` of one command. */
export function timeoutOption(): string {
  return Option.String('--timeout', '30s', { description: 'how long to wait for an answer (default: 30s)' });
}

/** @throws UsageError for what is no duration above zero; answers milliseconds */
export function readTimeout(given: string): number {
  const ms = parseDuration(given);
  if (ms !== undefined && ms > 0) return ms;
  throw new UsageError(`"${given}" is no duration.`, {
    at: { flag: '--timeout' },
    fix: 'Write it as 30s or 2m.',
  });
}

/**
 * The headers that were asked for.
 * @throws UsageError for what is no header; BerthError `token_file_unreadable`, `token_unusable`
 */
export async function readHeaders(
  headers: readonly string[],
  tokenFile: string | undefined,
): Promise<Record<string, string>> {
  const given = headers.map((header) => {
    const [, name, value] = HEADER.exec(header) ?? [];
    if (name !== undefined && value !== undefined) return [name, value.trim()] as const;
    // The text is not repeated: it may hold a token.
    throw new UsageError('That is no header.', { at: { flag: '--header' }, fix: 'Write it as NAME=VALUE.' });
  });
  const token = tokenFile === undefined ? undefined : await readToken(tokenFile);
  return {
    ...Object.fromEntries(given),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

async function readToken(file: string): Promise<string> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new BerthError('token_file_unreadable', `The token file cannot be read (${messageOf(cause)}).`, {
      at: { flag: '--token-file' },
      cause,
    });
  }
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new BerthError('token_unusable', 'The token file does not hold one access token.', {
    at: { flag: '--token-file' },
  });
}
