import type { AuditEvent } from './audit-event.ts';

/** The route label of requests that match no route. */
export const OTHER_ROUTE = 'other';

/** What a request turned out to be: its route template for metrics and traces, its event for the audit log. */
export interface Happened {
  readonly route: string;
  event?: Pick<AuditEvent, 'type' | 'registry' | 'resourceType' | 'resourceName' | 'version' | 'requestBody'>;
}

/** Filled while a request is handled, so that failures are recorded with what was known when they happened. */
export interface Observed {
  happened: Happened;
}
