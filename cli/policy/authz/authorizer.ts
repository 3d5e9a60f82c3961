import type { Exchange } from '../../proxy/exchange.ts';
import type { AuthzConfig } from './authz-config.ts';
import { prefixMembers } from './cedar-value.ts';
import { describePrincipal, type Principal } from './describe-principal.ts';
import type { CedarValue, Decision, Entity, PolicySet } from './load-policies.ts';
import { rememberDecisions } from './remember-decisions.ts';

/** One thing a caller may or may not do. */
export interface Question {
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly attributes: Record<string, CedarValue>;
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

/** Puts questions about one caller to the policies. */
export type Judge = (question: Question) => Decision;

export interface Authorizer {
  judgeFor(exchange: Pick<Exchange, 'identity' | 'claims'>): Judge;
}

/**
 * Turns questions into decisions of the Cedar engine (contract 5 and 8 "Policy"): principal `Client::"<sub>"`, actions
 * `call_tool`, `get_prompt`, `read_resource`, `list_*`, resources `Tool`, `Prompt`, `Resource`, each in
 * `MCP::"<workload>"`.
 * @param entities of the configuration; they lend attributes and parents to ours of the same id
 */
export function createAuthorizer(
  policies: PolicySet,
  config: AuthzConfig['cedar'],
  entities: readonly Entity[],
  workload: string,
): Authorizer {
  const own = new Map(entities.map((entity) => [keyOf(entity), entity]));
  const server = { type: 'MCP', id: workload };
  const merge = (entity: Entity): Entity => {
    const given = own.get(keyOf(entity));
    if (given === undefined) return entity;
    return {
      uid: entity.uid,
      attrs: { ...given.attrs, ...entity.attrs },
      parents: [...given.parents, ...entity.parents],
    };
  };
  const { contextNames } = policies;
  const trim = (context: Record<string, CedarValue>): Record<string, CedarValue> =>
    contextNames === undefined
      ? context
      : Object.fromEntries(Object.entries(context).filter(([name]) => contextNames.has(name)));
  const remember = rememberDecisions();
  const judge = (principal: Principal, question: Question): Decision => {
    const { action, type, id, attributes, args } = question;
    const context = trim({ ...principal.claims, ...prefixMembers('arg', args) });
    const key = JSON.stringify([principal.entity, action, type, id, attributes, context]);
    return remember(key, () => {
      const caller = merge(principal.entity);
      const resource = merge({ uid: { type, id }, attrs: { name: id, ...attributes }, parents: [server] });
      const replaced = new Set([keyOf(caller), keyOf(resource)]);
      return policies.decide({
        principal: caller.uid,
        action: { type: 'Action', id: action },
        resource: resource.uid,
        context,
        entities: [...entities.filter((entity) => !replaced.has(keyOf(entity))), caller, resource],
      });
    });
  };
  return {
    judgeFor(exchange) {
      const principal = describePrincipal(exchange, config);
      return (question) => judge(principal, question);
    },
  };
}

function keyOf({ uid }: Entity): string {
  return `${uid.type}::${uid.id}`;
}
