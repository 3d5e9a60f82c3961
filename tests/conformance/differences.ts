import type { Revision } from './run-suite.ts';

/** The proxy, by what stands behind it. */
export const SUBJECTS = {
  http: 'proxy, HTTP',
  stdio: 'proxy, stdio',
  translated: 'proxy, stdio server with sessions',
} as const;
export type SubjectName = keyof typeof SUBJECTS;

/** Checks that come out otherwise through the proxy than at the server itself on HTTP, and why that is right. */
export interface Difference {
  readonly subject: SubjectName;
  readonly revisions: readonly Revision[];
  /** Scenario, id and name of each. */
  readonly checks: readonly string[];
  readonly reason: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    subject: 'stdio',
    revisions: ['2025-11-25'],
    checks: [
      'server-sse-polling server-sse-priming-event ServerSendsPrimingEvent',
      'server-sse-polling server-sse-retry-field ServerSendsRetryField',
      'server-sse-polling server-sse-disconnect-resume ServerDisconnectResume',
      'server-sse-multiple-streams server-sse-streams-functional ServerSSEStreamsFunctional',
    ],
    reason:
      'Not made by the suite: a server on standard streams has no stream of its own to cut, and the proxy answers a call before which nothing was said with one JSON body, as the specification allows.',
  },
  {
    subject: 'translated',
    revisions: ['2026-07-28'],
    checks: [
      'input-required-result-basic-elicitation sep-2322-elicitation-incomplete InputRequiredResultElicitationIncomplete',
      'input-required-result-basic-elicitation sep-2322-elicitation-complete InputRequiredResultElicitationComplete',
    ],
    reason:
      'The suite wants the key `user_name`: a server with sessions asks by requests, which have ids and no keys, so the proxy names them itself.',
  },
  {
    subject: 'translated',
    revisions: ['2026-07-28'],
    checks: [
      'input-required-result-multiple-input-requests sep-2322-multiple-inputs-incomplete InputRequiredResultMultipleInputsIncomplete',
      'input-required-result-multiple-input-requests sep-2322-multiple-inputs-complete InputRequiredResultMultipleInputsComplete',
    ],
    reason:
      'A server with sessions asks one thing after the other and waits for each answer; the proxy cannot know what it will ask next.',
  },
  {
    subject: 'translated',
    revisions: ['2026-07-28'],
    checks: [
      'server-stateless sep-2575-server-rejects-undeclared-capability ServerRejectsUndeclaredCapability',
      'server-stateless sep-2575-missing-capability-http-400 MissingCapabilityHttp400',
    ],
    reason:
      'The proxy refuses the request of the server for the client that cannot be asked; the server then finishes its call with a result that says so, and a result is passed on.',
  },
];
