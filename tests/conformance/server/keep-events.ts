import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Remembers the events of one session, so that a stream that was cut can be taken up again. */
export function keepEvents(): EventStore {
  const events: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      return String(events.push({ stream, message }) - 1);
    },
    async getStreamIdForEventId(id) {
      return events[Number(id)]?.stream;
    },
    async replayEventsAfter(id, { send }) {
      const stream = events[Number(id)]?.stream ?? '';
      for (const [index, event] of events.entries()) {
        const isMessage = 'method' in event.message || 'result' in event.message || 'error' in event.message;
        if (index > Number(id) && event.stream === stream && isMessage)
          await send(String(index), event.message);
      }
      return stream;
    },
  };
}
