import { openAuditTrail } from '../../../server/observe/audit.ts';
import { outcomeOf } from '../../../server/observe/audit-event.ts';
import type { LineOutput } from '../../../server/observe/line-output.ts';
import { asLog } from '../../proxy/as-log.ts';
import type { Contribution, Exchange } from '../../proxy/exchange.ts';
import type { ProxyLog } from '../../proxy/proxy.ts';
import type { Plan } from '../../run/plan.ts';
import { readPlanPart } from '../read-plan-part.ts';
import { mcpAuditSchema } from './audit-config.ts';
import { isErrorAnswer } from './judge-answer.ts';
import { createMcpFormat, type McpAuditEvent } from './mcp-audit-event.ts';
import { auditTypeOf } from './mcp-audit-type.ts';

export interface AuditContributionDeps {
  readonly log: ProxyLog;
  /** Where lines go without `logFile`: the log of the proxy. */
  readonly output: LineOutput;
  readonly now?: () => number;
}

const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  'tools/call': 'tool',
  'prompts/get': 'prompt',
  'resources/read': 'resource',
  'resources/subscribe': 'resource',
  'resources/unsubscribe': 'resource',
};

/**
 * Audits every exchange with the server (contract 5): who asked what, and what became of it.
 * @throws BerthError `audit_log_unavailable`, `plan_invalid`
 */
export async function createAuditContribution(
  plan: Plan,
  deps: AuditContributionDeps,
): Promise<Contribution | undefined> {
  if (plan.audit === undefined) return undefined;
  const config = readPlanPart(plan.audit, 'audit', mcpAuditSchema);
  if (!config.enabled) return undefined;
  const { log } = deps;
  const trail = await openAuditTrail<McpAuditEvent>(config, createMcpFormat(config.includeResponseData), {
    log: asLog(log),
    ...(config.logFile === undefined ? { output: deps.output } : {}),
    ...(deps.now === undefined ? {} : { now: deps.now }),
  });
  const keptBytes = config.includeResponseData ? config.maxDataSize : 0;
  return {
    needsMcp: true,
    close: () => trail.close(),
    stages: {
      async audit(exchange, next) {
        const answer = observeAnswer(exchange, keptBytes);
        const before = exchange.request.socket.bytesWritten;
        try {
          await next();
        } finally {
          const type = auditTypeOf(exchange);
          if (trail.wants(type))
            trail.record(describe(exchange, type, plan.name, answer, before, config.includeRequestData));
        }
      },
    },
  };
}

interface ObservedAnswer {
  failed: boolean;
  body: Buffer | undefined;
}

/** Remembers whether the answer was an error, and as much of it as is written down. */
function observeAnswer(exchange: Exchange, keptBytes: number): ObservedAnswer {
  const seen: ObservedAnswer = { failed: false, body: undefined };
  exchange.answerObservers.push((message) => {
    seen.failed = isErrorAnswer(message);
    // The whole message is kept until it is redacted; cut text cannot be.
    if (keptBytes > 0 && message.byteLength <= Math.max(keptBytes, 1_048_576)) seen.body = message;
  });
  return seen;
}

function describe(
  exchange: Exchange,
  type: string,
  workload: string,
  answer: ObservedAnswer,
  bytesBefore: number,
  includeRequestData: boolean,
): McpAuditEvent {
  const { mcp, request, response, identity } = exchange;
  const byStatus = outcomeOf(response.statusCode);
  const denied = exchange.outcome.refusal !== undefined && response.statusCode < 400;
  const outcome = denied ? 'denied' : byStatus === 'success' && answer.failed ? 'failure' : byStatus;
  return {
    type,
    outcome,
    workload,
    clientAddress: exchange.clientAddress,
    userAgent: request.headers['user-agent'],
    subject: identity === undefined || identity.anonymous ? undefined : identity.subject,
    roles: readRoles(exchange.claims.roles),
    method: mcp?.method ?? request.method ?? '',
    path: exchange.path,
    resourceType: mcp?.method === undefined ? undefined : RESOURCE_TYPES[mcp.method],
    resourceName: mcp?.target,
    durationMs: performance.now() - exchange.startedAt,
    responseBytes: Math.max(0, request.socket.bytesWritten - bytesBefore),
    requestId: exchange.requestId,
    refusal: exchange.outcome.refusal,
    notes: exchange.outcome.notes,
    requestBody: includeRequestData ? mcp?.body : undefined,
    responseBody: answer.body,
  };
}

/** Roles the token gives. Those of an identity are the registry's own and mean nothing to a server. */
function readRoles(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return listed.filter((role) => typeof role === 'string').slice(0, 100);
}
