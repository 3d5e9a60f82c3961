import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { Contribution, Exchange, ListedTool, McpRequest } from '../../proxy/exchange.ts';
import type { ProxyLog } from '../../proxy/proxy.ts';
import { splitBatch } from '../../proxy/read-mcp-request.ts';
import type { Plan } from '../../run/plan.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { readPlanPart } from '../read-plan-part.ts';
import { sortRequest } from './asked-of-server.ts';
import { createAuthorizer, type Judge } from './authorizer.ts';
import { authzSchema } from './authz-config.ts';
import { filterListAnswer } from './filter-list-answer.ts';
import { type Decision, loadPolicies } from './load-policies.ts';
import { readEntities } from './read-entities.ts';
import { createToolAnnotations } from './tool-annotations.ts';

const DENIED = -32003;
const TOOLS_CHANGED = Buffer.from('"notifications/tools/list_changed"');

export interface AuthzDeps {
  readonly log: ProxyLog;
  /** The tools as the server lists them, for their annotations. */
  readonly listTools: () => Promise<readonly ListedTool[]>;
  /** Milliseconds, monotonic. */
  readonly elapsed?: () => number;
}

/**
 * Judges every request by Cedar policies and filters lists (contract 5 and 8 "Policy"). What no policy permits is 403
 * with a JSON-RPC error; the policies that decided are in the audit.
 * @throws BerthError `policy_invalid`, `plan_invalid`
 */
export async function createAuthzContribution(
  plan: Plan,
  deps: AuthzDeps,
): Promise<Contribution | undefined> {
  if (plan.authz === undefined) return undefined;
  const { cedar } = readPlanPart(plan.authz, 'authz', authzSchema);
  const policies = await loadPolicies(cedar.policies);
  if ('faults' in policies) {
    const [fault] = policies.faults;
    throw refusePolicy(`policies[${fault?.index}], line ${fault?.line}: ${fault?.message}`);
  }
  const entities = await readEntities(cedar.entities_json);
  if ('fault' in entities) throw refusePolicy(`entities_json ${entities.fault}`);
  const authorizer = createAuthorizer(policies, cedar, entities, plan.name);
  const annotations = createToolAnnotations(deps.listTools, deps.elapsed ?? (() => performance.now()));

  /** undefined when there is nothing to decide; otherwise the first denial, or the last permission. */
  const decide = async (request: McpRequest, judge: Judge): Promise<Decision | undefined> => {
    const asked = sortRequest(request);
    if (asked === undefined) return { allowed: false, policies: [], errors: [] };
    let decision: Decision | undefined;
    for (const one of asked) {
      const attributes = one.type === 'Tool' && policies.readsResources ? await annotations.of(one.id) : {};
      decision = judge({ ...one, attributes });
      if (!decision.allowed) return decision;
    }
    return decision;
  };
  return {
    needsMcp: true,
    close: () => Promise.resolve(),
    stages: {
      async authorization(exchange, next) {
        const judge = authorizer.judgeFor(exchange);
        for (const one of exchange.mcp === undefined ? [] : splitBatch(exchange.mcp)) {
          let decision: Decision | undefined;
          try {
            decision = await decide(one, judge);
          } catch (error) {
            deps.log(
              'warn',
              { requestId: exchange.requestId, error: messageOf(error) },
              'a request could not be judged',
            );
            decision = { allowed: false, policies: [], errors: [messageOf(error)] };
          }
          if (decision === undefined) continue;
          noteDecision(exchange, decision);
          if (!decision.allowed) return deny(exchange, one);
        }
        // Innermost first: the tool filter renames what this leaves. Other answers are streamed untouched.
        if (bringsLists(exchange))
          exchange.answerFilters.unshift((message) => {
            if (message.includes(TOOLS_CHANGED)) annotations.forget();
            return filterListAnswer(message, judge);
          });
        await next();
      },
    },
  };
}

/** Whether lists may be among the answers: of a request for one, of a batch, and of a stream. */
function bringsLists({ mcp }: Exchange): boolean {
  return mcp === undefined || mcp.isBatch || mcp.method?.endsWith('/list') === true;
}

function noteDecision(exchange: Exchange, decision: Decision): void {
  exchange.outcome.notes.decision = decision.allowed ? 'allow' : 'deny';
  if (decision.policies.length > 0) exchange.outcome.notes.policies = decision.policies;
  if (decision.errors.length > 0) exchange.outcome.notes.policy_errors = decision.errors;
}

function deny(exchange: Exchange, { id, method, target }: McpRequest): void {
  const what = [method, target].filter((part) => part !== undefined).join(' ');
  answerRefusal(exchange, {
    status: 403,
    code: DENIED,
    id,
    message: `${what || 'this request'} is denied by policy`,
    reason: 'denied_by_policy',
  });
}

function refusePolicy(what: string): BerthError {
  return new BerthError('policy_invalid', `The policies of this workload cannot be used: ${what}.`, {
    at: { flag: '--authz-config' },
    fix: 'Correct the file.',
  });
}
