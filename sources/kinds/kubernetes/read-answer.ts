import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { explainBreak, explainStatus, refuseAnswer, type Subject } from './cluster-errors.ts';

/** An answer whose body is still to be read. */
export interface ClusterAnswer {
  readonly status: number;
  readonly body: IncomingMessage;
}

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_MESSAGE = 200;
const statusSchema = z.object({ message: z.string() });

/**
 * Reads an answer of JSON.
 * @throws BerthError `source_kubernetes_denied`, `..._unauthorized`, `..._failed`, `..._unreachable`
 */
export async function readAnswer<T>(
  answer: ClusterAnswer,
  schema: z.ZodType<T>,
  subject: Subject,
): Promise<T> {
  if (answer.status !== 200) throw await explainAnswer(answer, subject);
  const text = await readText(answer, subject);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw refuseAnswer(subject, cause);
  }
}

/** The error for an answer that is not 200. */
export async function explainAnswer(answer: ClusterAnswer, subject: Subject): Promise<Error> {
  return explainStatus(answer.status, subject, readMessage(await readText(answer, subject)));
}

async function readText({ body }: ClusterAnswer, subject: Subject): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk);
      size += bytes.byteLength;
      if (size > MOST_BYTES) break;
      chunks.push(bytes);
    }
  } catch (cause) {
    throw explainBreak(subject, cause);
  }
  if (size > MOST_BYTES) throw refuseAnswer(subject, new RangeError('the answer is too large'));
  return Buffer.concat(chunks).toString('utf8');
}

/** The message of a Kubernetes Status object, shortened; empty for anything else. */
function readMessage(text: string): string {
  try {
    const message = statusSchema.safeParse(JSON.parse(text)).data?.message ?? '';
    return message.slice(0, LONGEST_MESSAGE);
  } catch {
    return '';
  }
}
