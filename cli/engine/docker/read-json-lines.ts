import type { Readable } from 'node:stream';
import { z } from 'zod';

/** A message of a pull or a build. */
const messageSchema = z.looseObject({
  stream: z.string().optional(),
  status: z.string().optional(),
  id: z.string().optional(),
  progressDetail: z.looseObject({ current: z.number().optional(), total: z.number().optional() }).nullish(),
  error: z.string().optional(),
  errorDetail: z.looseObject({ message: z.string().optional() }).nullish(),
});
export type EngineMessage = z.infer<typeof messageSchema>;

/** Reads the messages of a stream of JSON lines; what is no message is skipped. */
export async function* readJsonLines(stream: Readable): AsyncGenerator<EngineMessage> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = readMessage(line);
      if (message) yield message;
    }
  }
  const last = readMessage(rest);
  if (last) yield last;
}

function readMessage(line: string): EngineMessage | undefined {
  if (line.trim() === '') return undefined;
  try {
    return messageSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
