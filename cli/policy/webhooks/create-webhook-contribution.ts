import { randomUUID } from 'node:crypto';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { Contribution, Exchange, Stage } from '../../proxy/exchange.ts';
import { matchMcpHeaders } from '../../proxy/match-mcp-headers.ts';
import type { ProxyLog } from '../../proxy/proxy.ts';
import { readMcpRequest } from '../../proxy/read-mcp-request.ts';
import type { Plan } from '../../run/plan.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { readPlanPart } from '../read-plan-part.ts';
import { openWebhook, type WebhookCaller } from './call-webhook.ts';
import { describeRequest } from './describe-request.ts';
import { patchRequest } from './patch-request.ts';
import type { WebhookAnswer } from './webhook-answer.ts';
import { webhooksSchema } from './webhook-config.ts';

const DENIED = -32003;

export interface WebhookDeps {
  readonly secrets: SecretStore;
  readonly log: ProxyLog;
  readonly now?: () => number;
  readonly newUid?: () => string;
}

/**
 * Asks webhooks about each request of a client (contract 5): mutating ones may change it, validating ones only judge.
 * They are asked one after the other, in the order of the files. Notifications and answers pass: nobody waits for
 * them, so nobody could be told of a refusal.
 * @throws BerthError `secret_missing`, `webhook_tls`, `plan_invalid`
 */
export async function createWebhookContribution(
  plan: Plan,
  deps: WebhookDeps,
): Promise<Contribution | undefined> {
  if (plan.webhooks === undefined) return undefined;
  const config = readPlanPart(plan.webhooks, 'webhooks', webhooksSchema);
  if (config.mutating.length + config.validating.length === 0) return undefined;
  const now = deps.now ?? Date.now;
  const newUid = deps.newUid ?? randomUUID;
  const open = { secrets: deps.secrets, now, caBundle: plan.caBundle };
  const mutating = await Promise.all(config.mutating.map((one) => openWebhook(one, open)));
  const validating = await Promise.all(config.validating.map((one) => openWebhook(one, open)));

  const ask = async (
    caller: WebhookCaller,
    exchange: Exchange,
    use: (answer: WebhookAnswer) => void,
  ): Promise<boolean> => {
    const { name, failure_policy } = caller.webhook;
    try {
      const answer = await caller.call(describeRequest(exchange, plan, { uid: newUid(), now: now() }));
      if (!answer.allowed) {
        refuse(exchange, answer.message ?? `denied by the webhook ${name}`, 'denied_by_webhook', answer.code);
        return false;
      }
      use(answer);
      return true;
    } catch (error) {
      deps.log(
        'warn',
        { webhook: name, requestId: exchange.requestId, error: messageOf(error) },
        'a webhook failed',
      );
      // A patch that reaches too far is no outage: it fails the call whatever the policy says.
      const overreached = error instanceof BerthError && error.code === 'webhook_patch_refused';
      if (failure_policy === 'ignore' && !overreached) return true;
      refuse(exchange, `the webhook ${name} failed`, 'webhook_failed');
      return false;
    }
  };
  const stageOf = (
    callers: readonly WebhookCaller[],
    use: (exchange: Exchange, answer: WebhookAnswer) => void,
  ): Stage => {
    return async (exchange, next) => {
      if (exchange.mcp?.method !== undefined && exchange.mcp.id !== undefined) {
        for (const caller of callers) {
          if (!(await ask(caller, exchange, (answer) => use(exchange, answer)))) return;
        }
      }
      await next();
    };
  };
  return {
    needsMcp: true,
    stages: {
      ...(mutating.length > 0 ? { 'mutating-webhooks': stageOf(mutating, applyPatch) } : {}),
      ...(validating.length > 0 ? { 'validating-webhooks': stageOf(validating, () => undefined) } : {}),
    },
    async close() {
      await Promise.all([...mutating, ...validating].map((caller) => caller.close()));
    },
  };
}

function applyPatch(exchange: Exchange, answer: WebhookAnswer): void {
  if (answer.patch === undefined || answer.patch.length === 0 || exchange.mcp === undefined) return;
  const changed = patchRequest(exchange.mcp.message, answer.patch);
  exchange.mcp = readMcpRequest(Buffer.from(JSON.stringify(changed)));
  matchMcpHeaders(exchange);
}

function refuse(exchange: Exchange, message: string, reason: string, code?: number): void {
  const data = code === undefined ? {} : { data: { code } };
  answerRefusal(exchange, { status: 403, code: DENIED, message, reason, ...data });
}
