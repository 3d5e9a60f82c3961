import type { LineOutput } from '../../server/observe/line-output.ts';
import type { Backend, Contribution } from '../proxy/exchange.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { Plan } from '../run/plan.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/** What the governed rooms may need of a workload. */
export interface ContributionDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: ProxyLog;
  /** The log of the proxy, for whole lines. */
  readonly output: LineOutput;
  readonly secrets: SecretStore;
  /** The server itself, without the proxy around it. */
  readonly backend: Backend;
}

/** The tools of a server that does not answer now are asked for again with the next request. */
const LIST_TOOLS_MS = 30_000;

/**
 * Everything that stands between clients and server beside the proxy itself, in any order. The code of a room is
 * loaded only when the plan asks something of it: a workload without policy stays small.
 *
 * @throws BerthError of the room whose part of the plan cannot be carried out; what was opened before is closed
 */
export async function assembleContributions(
  plan: Plan,
  deps: ContributionDeps,
): Promise<readonly Contribution[]> {
  const opened: Contribution[] = [];
  try {
    for (const open of listRooms(plan, deps)) {
      const contribution = await open();
      if (contribution) opened.push(contribution);
    }
    return opened;
  } catch (error) {
    for (const contribution of opened) await contribution.close();
    throw error;
  }
}

function listRooms(plan: Plan, deps: ContributionDeps): readonly (() => Promise<Contribution | undefined>)[] {
  const { env, log, output, secrets, backend } = deps;
  const listTools = () => backend.listTools(AbortSignal.timeout(LIST_TOOLS_MS));
  const rooms: readonly {
    readonly wanted: unknown;
    readonly open: () => Promise<Contribution | undefined>;
  }[] = [
    {
      wanted: plan.oidc,
      open: async () =>
        (
          await import('../proxy/authentication/create-authentication-contribution.ts')
        ).createAuthenticationContribution(plan, { secrets, log }),
    },
    {
      wanted: plan.tools.allow ?? plan.tools.override,
      open: async () =>
        (await import('../proxy/tools/create-tools-contribution.ts')).createToolsContribution(plan),
    },
    {
      wanted: plan.forwardHeaders,
      open: async () =>
        (
          await import('../proxy/outgoing/create-outgoing-headers-contribution.ts')
        ).createOutgoingHeadersContribution(plan, secrets),
    },
    {
      wanted: plan.audit,
      open: async () =>
        (await import('../policy/audit/create-audit-contribution.ts')).createAuditContribution(plan, {
          log,
          output,
        }),
    },
    {
      wanted: plan.telemetry,
      open: async () =>
        (await import('../telemetry/create-telemetry-contribution.ts')).createTelemetryContribution(plan, {
          secrets,
          log,
          env,
          listTools,
        }),
    },
    {
      wanted: plan.webhooks,
      open: async () =>
        (await import('../policy/webhooks/create-webhook-contribution.ts')).createWebhookContribution(plan, {
          secrets,
          log,
        }),
    },
    {
      wanted: plan.authz,
      open: async () =>
        (await import('../policy/authz/create-authz-contribution.ts')).createAuthzContribution(plan, {
          log,
          listTools,
        }),
    },
    {
      wanted: plan.tokenExchange,
      open: async () =>
        (
          await import('../policy/token-exchange/create-token-exchange-contribution.ts')
        ).createTokenExchangeContribution(plan, { secrets, log }),
    },
  ];
  return rooms.filter(({ wanted }) => wanted !== undefined).map(({ open }) => open);
}
