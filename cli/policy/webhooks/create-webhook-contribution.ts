import { randomUUID } from 'node:crypto';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { Contribution, Exchange, McpRequest, Stage } from '../../proxy/exchange.ts';
import { matchMcpHeaders } from '../../proxy/match-mcp-headers.ts';
import type { ProxyLog } from '../../proxy/proxy.ts';
import { readMcpRequest, splitBatch } from '../../proxy/read-mcp-request.ts';
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
 * Asks webhooks about each request of a client (contract 5), those of a batch one by one: mutating ones may change it,
 * validating ones only judge. They are asked one after the other, in the order of the files. Notifications and answers
 * pass: nobody waits for them, so nobody could be told of a refusal.
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

  /** @returns false when the request was refused */
  const ask = async (
    caller: WebhookCaller,
    exchange: Exchange,
    { id, message }: McpRequest,
    use: (answer: WebhookAnswer) => void,
  ): Promise<boolean> => {
    const { name, failure_policy } = caller.webhook;
    try {
      const stamp = { uid: newUid(), now: now() };
      const answer = await caller.call(describeRequest(exchange, message, plan, stamp));
      if (!answer.allowed) {
        const text = answer.message ?? `denied by the webhook ${name}`;
        refuse(exchange, { id, text, reason: 'denied_by_webhook', code: answer.code });
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
      refuse(exchange, { id, text: `the webhook ${name} failed`, reason: 'webhook_failed' });
      return false;
    }
  };
  const stageOf = (
    callers: readonly WebhookCaller[],
    use: (exchange: Exchange, place: number, answer: WebhookAnswer) => void,
  ): Stage => {
    return async (exchange, next) => {
      for (const caller of callers) {
        const parts = exchange.mcp === undefined ? [] : splitBatch(exchange.mcp);
        for (const [place, part] of parts.entries()) {
          if (!isRequest(part)) continue;
          if (!(await ask(caller, exchange, part, (answer) => use(exchange, place, answer)))) return;
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

/** Judged by its method alone: a call without a usable id is no notification, and some server may carry it out. */
function isRequest({ method }: McpRequest): boolean {
  return method !== undefined && !method.startsWith('notifications/');
}

/** @param place of the message in its batch; 0 for one that stands alone */
function applyPatch(exchange: Exchange, place: number, { patch }: WebhookAnswer): void {
  const { mcp } = exchange;
  if (patch === undefined || patch.length === 0 || mcp === undefined) return;
  const changed = Array.isArray(mcp.message)
    ? mcp.message.with(place, patchRequest(mcp.message[place], patch))
    : patchRequest(mcp.message, patch);
  exchange.mcp = readMcpRequest(Buffer.from(JSON.stringify(changed)));
  matchMcpHeaders(exchange);
}

interface Refused {
  readonly id: McpRequest['id'];
  readonly text: string;
  readonly reason: string;
  readonly code?: number | undefined;
}

function refuse(exchange: Exchange, { id, text, reason, code }: Refused): void {
  const data = code === undefined ? {} : { data: { code } };
  answerRefusal(exchange, { status: 403, code: DENIED, id, message: text, reason, ...data });
}
