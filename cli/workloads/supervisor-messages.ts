import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';

const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  fix: z.string().optional(),
  at: z
    .object({ file: z.string(), line: z.number(), column: z.number(), url: z.string(), flag: z.string() })
    .partial()
    .optional(),
});

/** What a supervisor tells the command that started it. */
export const supervisorMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), text: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('failed'), failure: failureSchema, logTail: z.string() }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessageSchema>;
export type Failure = z.infer<typeof failureSchema>;

/** An error in a form that can be sent to another process. */
export function packError(error: unknown): Failure {
  if (!(error instanceof BerthError)) {
    return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
  }
  const { code, message, fix, at } = error;
  return { code, message, ...(fix === undefined ? {} : { fix }), ...(at === undefined ? {} : { at }) };
}

export function unpackError({ code, message, fix, at }: Failure): BerthError {
  const { file, line, column, url, flag } = at ?? {};
  const place = {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(url === undefined ? {} : { url }),
    ...(flag === undefined ? {} : { flag }),
  };
  return new BerthError(code, message, {
    ...(fix === undefined ? {} : { fix }),
    ...(at === undefined ? {} : { at: place }),
  });
}
