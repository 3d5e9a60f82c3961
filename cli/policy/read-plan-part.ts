import type { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';

/**
 * Checks a part of a plan that is stored as plain JSON (it was checked with its file when the plan was made; an
 * exported plan may have been edited since).
 * @param name of the member of the plan, for the message
 * @throws BerthError `plan_invalid`
 */
export function readPlanPart<Schema extends z.ZodType>(
  value: unknown,
  name: string,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw new BerthError('plan_invalid', `${path} of this workload cannot be used: ${issue?.message}.`, {
    fix: 'Correct the exported file, or run the server again with the configuration file itself.',
  });
}
