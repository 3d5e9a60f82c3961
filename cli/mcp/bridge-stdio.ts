import type { Readable } from 'node:stream';
import { messageOf } from '../../sources/errors.ts';
import { isRequest, type Message, makeError, readMessage } from './bridged-message.ts';
import type { Link } from './link.ts';
import { splitLines } from './split-lines.ts';

export interface Bridge {
  readonly input: Readable;
  readonly link: Link;
  /** Takes one message for the client. */
  readonly write: (line: string) => void;
  /** Takes a line for a person. */
  readonly warn: (line: string) => void;
  /** How long answers are waited for when the client has ended its input, in milliseconds. Default: 10 000. */
  readonly lingerMs?: number;
}

/**
 * Passes messages, one a line, to a server until the client ends its input; what cannot be delivered is answered with
 * a JSON-RPC error.
 */
export async function bridgeStdio({ input, link, write, warn, lingerMs = 10_000 }: Bridge): Promise<void> {
  const open = new Set<Promise<void>>();
  // Notifications and the handshake keep their place in the order; requests need not wait for each other.
  let before: Promise<void> = Promise.resolve();
  const deliver = async (line: Buffer, message: Message): Promise<void> => {
    try {
      await link.send(line, message);
    } catch (error) {
      const why = `The message was not delivered: ${messageOf(error)}`;
      if (isRequest(message)) write(makeError(message.id, -32000, why));
      else warn(why);
    }
  };
  for await (const line of splitLines(input)) {
    const message = readMessage(line.toString('utf8'));
    if (message === undefined) {
      write(makeError(null, -32700, 'That line is no JSON.'));
      continue;
    }
    await before;
    const delivery = deliver(line, message).finally(() => open.delete(delivery));
    open.add(delivery);
    if (!isRequest(message) || message.method === 'initialize') before = delivery;
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, lingerMs);
  });
  await Promise.race([Promise.all(open), patience]);
  clearTimeout(timer);
  await link.close();
}
