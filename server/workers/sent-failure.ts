import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { HttpError } from '../http/problem.ts';

/** An error as it crosses processes: its cause stays where it happened, what clients and people are told is kept. */
export const sentFailure = z.object({
  code: z.string(),
  message: z.string(),
  /** Of an HttpError. */
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  at: z
    .object({
      file: z.string().exactOptional(),
      line: z.number().exactOptional(),
      column: z.number().exactOptional(),
      url: z.string().exactOptional(),
      flag: z.string().exactOptional(),
    })
    .optional(),
  fix: z.string().optional(),
});

export type SentFailure = z.infer<typeof sentFailure>;

export function packFailure(error: unknown): SentFailure {
  if (!(error instanceof BerthError)) return { code: 'internal_error', message: messageOf(error) };
  const { code, message, at, fix } = error;
  const http = error instanceof HttpError ? { status: error.status, headers: { ...error.headers } } : {};
  return { code, message, ...http, ...(at ? { at } : {}), ...(fix === undefined ? {} : { fix }) };
}

export function unpackFailure({ code, message, status, headers, at, fix }: SentFailure): BerthError {
  const options = { ...(at ? { at } : {}), ...(fix === undefined ? {} : { fix }) };
  if (status === undefined) return new BerthError(code, message, options);
  return new HttpError(status, code, message, { ...options, ...(headers ? { headers } : {}) });
}
