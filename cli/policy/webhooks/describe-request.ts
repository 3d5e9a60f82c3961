import type { Exchange } from '../../proxy/exchange.ts';
import type { Plan } from '../../run/plan.ts';
import type { WebhookPayload } from './call-webhook.ts';

const CLAIMS_NOT_TOLD = new Set(['jti', 'nonce', 'at_hash', 'c_hash', 'sid']);

/** What a webhook is told of a request (contract 5). No token and no header of the client is in it. */
export function describeRequest(
  exchange: Exchange,
  message: unknown,
  plan: Plan,
  stamp: { readonly uid: string; readonly now: number },
): WebhookPayload {
  return {
    version: 'v0.1.0',
    uid: stamp.uid,
    timestamp: new Date(stamp.now).toISOString(),
    principal: describePrincipal(exchange),
    mcp_request: message,
    context: {
      server_name: plan.name,
      backend_server: plan.origin?.name ?? describeServer(plan),
      group: plan.group,
      source_ip: exchange.clientAddress,
      transport: plan.transport,
      request_id: exchange.requestId,
    },
  };
}

function describePrincipal({ identity, claims }: Exchange): Readonly<Record<string, unknown>> | null {
  if (identity === undefined || identity.anonymous) return null;
  const told = Object.fromEntries(Object.entries(claims).filter(([name]) => !CLAIMS_NOT_TOLD.has(name)));
  const text = (name: string) => (typeof told[name] === 'string' ? { [name]: told[name] } : {});
  const groups = Array.isArray(told.groups) ? { groups: told.groups } : {};
  return { sub: identity.subject, ...text('email'), ...text('name'), ...groups, claims: told };
}

function describeServer({ server }: Plan): string {
  if (server.kind === 'image') return server.image;
  if (server.kind === 'protocol') return `${server.scheme}://${server.package}`;
  // The query of a remote may hold a key.
  const { origin, pathname } = new URL(server.url);
  return `${origin}${pathname}`;
}
