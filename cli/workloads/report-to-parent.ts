import type { SupervisorMessage } from './supervisor-messages.ts';

/** The command that waits for a supervisor. */
export interface Parent {
  /** Settles when the message was handed over, or nobody is there. */
  send(message: SupervisorMessage): Promise<void>;
  /** Lets it go: from now on the supervisor stands alone. */
  leave(): void;
  /** Settles when it goes away before it was let go. */
  readonly gone: Promise<void>;
}

/** The parent of a process, when it was started with a channel to it. */
export function reportToParent(
  owner: Pick<NodeJS.Process, 'send' | 'connected' | 'disconnect' | 'once'>,
): Parent {
  let left = false;
  return {
    send: (message) =>
      new Promise((resolve) => {
        if (!owner.connected || owner.send === undefined) resolve();
        else owner.send(message, undefined, undefined, () => resolve());
      }),
    leave() {
      left = true;
      if (owner.connected) owner.disconnect?.();
    },
    gone: new Promise((resolve) => {
      owner.once('disconnect', () => {
        if (!left) resolve();
      });
    }),
  };
}
