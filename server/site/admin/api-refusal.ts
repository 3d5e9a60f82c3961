import { z } from 'zod';
import type { ApiAnswer } from '../site-locals.ts';

const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

type ProblemBody = z.infer<typeof problemSchema>;

/** The API answered with an error: what it said. Pages that need not ask say it in its place. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** What is wrong with members of what was sent, when it was told. */
  readonly errors: ProblemBody['errors'];

  constructor(status: number, { code, detail, errors }: ProblemBody) {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
  }
}

/**
 * Lets an answer pass that is none of an error.
 * @throws ApiRefusal; ZodError for an error that is no problem document
 */
export function acceptAnswer({ status, body }: ApiAnswer): unknown {
  if (status >= 400) throw new ApiRefusal(status, problemSchema.parse(body));
  return body;
}
