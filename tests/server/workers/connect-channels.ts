import { Channel, type Port } from '../../../server/workers/channel.ts';

/** Two channels with each other's operations, and what breaks the connection between them. */
export interface Connected<A extends object, B extends object> {
  readonly toA: Channel<A>;
  readonly toB: Channel<B>;
  cut(): void;
}

/** As between processes: messages are copied, and arrive in order in a later turn. */
export function connectChannels<A extends object, B extends object>(a: A, b: B): Connected<A, B> {
  const listeners: { a: (message: unknown) => void; b: (message: unknown) => void } = {
    a: () => undefined,
    b: () => undefined,
  };
  let cut = false;
  const portOf = (own: 'a' | 'b', other: 'a' | 'b'): Port => ({
    send: (message, onFailure) => {
      if (cut) {
        onFailure();
        return;
      }
      const copy: unknown = structuredClone(message);
      setImmediate(() => {
        if (!cut) listeners[other](copy);
      });
    },
    onMessage: (listen) => {
      listeners[own] = listen;
    },
  });
  const toB = new Channel<B>(portOf('a', 'b'), a);
  const toA = new Channel<A>(portOf('b', 'a'), b);
  return {
    toA,
    toB,
    cut: () => {
      cut = true;
      toA.close();
      toB.close();
    },
  };
}
