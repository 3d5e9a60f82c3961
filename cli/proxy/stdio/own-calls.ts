import type { Call, Client, Reply } from './client.ts';
import type { Message } from './message.ts';

/** The proxy as a client of the server: it asks, and hears nothing else. */
export class OwnClient implements Client {
  readonly capabilities: ReadonlySet<string> = new Set();
  readonly calls = new Set<Call>();
  push(): void {}
  isListening(): boolean {
    return false;
  }
  wantsLog(): boolean {
    return false;
  }
}

/** Turns the answer of a call into a promise. `undefined` when the proxy itself answered: the server is gone or late. */
export function promiseReply(): { readonly reply: Reply; readonly answered: Promise<Message | undefined> } {
  let settle: (message: Message | undefined) => void = () => {};
  const answered = new Promise<Message | undefined>((resolve) => {
    settle = resolve;
  });
  const reply: Reply = {
    relate: () => false,
    answer: (_bytes, message) => settle(message),
    drop: () => settle(undefined),
  };
  return { reply, answered };
}
