import type { IncomingMessage } from 'node:http';

/** What kinds of answers a client takes. */
export interface AcceptedTypes {
  readonly json: boolean;
  readonly events: boolean;
}

/** Reads `Accept`. A client that sends none gets JSON. */
export function readAccept(request: IncomingMessage): AcceptedTypes {
  const accept = request.headers.accept?.toLowerCase();
  if (accept === undefined || accept.trim() === '') return { json: true, events: false };
  const any = accept.includes('*/*');
  const events = any || /text\/(?:event-stream|\*)/.test(accept);
  const json = any || /application\/(?:json|\*)/.test(accept);
  return json || events ? { json, events } : { json: true, events: false };
}
