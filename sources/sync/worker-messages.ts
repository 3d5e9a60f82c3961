import { BerthError, type Place } from '../errors.ts';
import type { Compiler } from './compiler.ts';

type Operation = 'refresh' | 'load' | 'rollback';

/** A call of a compiler's operation, sent to the worker. */
export type WorkerRequest = {
  [O in Operation]: { readonly id: number; readonly operation: O; readonly args: Parameters<Compiler[O]> };
}[Operation];

/** An error as it crosses threads: class and cause are lost, what people and code need is kept. */
export interface SentError {
  readonly code: string;
  readonly message: string;
  readonly at?: Place;
  readonly fix?: string;
}

export type WorkerResponse =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SentError };

export function packError(error: unknown): SentError {
  if (!(error instanceof BerthError)) {
    return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
  }
  const { code, message, at, fix } = error;
  return { code, message, ...(at ? { at } : {}), ...(fix ? { fix } : {}) };
}

export function unpackError({ code, message, at, fix }: SentError): BerthError {
  return new BerthError(code, message, { ...(at ? { at } : {}), ...(fix ? { fix } : {}) });
}
