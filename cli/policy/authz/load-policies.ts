import { loadCedar } from './load-cedar.ts';
import { readContextNames } from './read-context-names.ts';

/** What is wrong with one policy text; line and column count from 1 within it. */
export interface Fault {
  readonly index: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A set of policies that is ready to be asked. */
export interface PolicySet {
  /** Whether a condition of a policy looks at the resource, so that its attributes are needed. */
  readonly readsResources: boolean;
  /** The attributes of the context that conditions ask for; undefined when it may be any. */
  readonly contextNames: ReadonlySet<string> | undefined;
  decide(request: DecisionRequest): Decision;
}

export interface EntityId {
  readonly type: string;
  readonly id: string;
}

export type CedarValue =
  | string
  | number
  | boolean
  | { __extn: { fn: string; arg: string } }
  | { __entity: EntityId }
  | CedarValue[]
  | { [name: string]: CedarValue };

export interface Entity {
  readonly uid: EntityId;
  readonly attrs: Record<string, CedarValue>;
  readonly parents: EntityId[];
}

export interface DecisionRequest {
  readonly principal: EntityId;
  readonly action: EntityId;
  readonly resource: EntityId;
  readonly context: Record<string, CedarValue>;
  readonly entities: Entity[];
}

export interface Decision {
  readonly allowed: boolean;
  /** The policies that decided: `policies[0]`, in the order of the file. */
  readonly policies: readonly string[];
  /** Why policies could not be evaluated. */
  readonly errors: readonly string[];
}

/** The engine keeps parsed sets by name for ever, so each gets one of its own. */
let sets = 0;

/**
 * Parses policies with the Cedar engine (contract 5). One text may hold several policies.
 * @returns the set, or what is wrong
 */
export async function loadPolicies(
  texts: readonly string[],
): Promise<PolicySet | { readonly faults: readonly Fault[] }> {
  const cedar = await loadCedar();
  const faults: Fault[] = [];
  const policies: Record<string, string> = {};
  const forbids = new Set<string>();
  const conditions: unknown[] = [];
  for (const [index, text] of texts.entries()) {
    const parts = cedar.policySetTextToParts(text);
    if (parts.type === 'failure') {
      const [error] = parts.errors;
      const offset = error?.sourceLocations?.[0]?.start ?? 0;
      faults.push({ index, ...placeOffset(text, offset), message: describeError(error?.message) });
      continue;
    }
    if (parts.policy_templates.length > 0 || parts.policies.length === 0) {
      faults.push({ index, line: 1, column: 1, message: 'holds no policy, or a template' });
      continue;
    }
    for (const [part, policy] of parts.policies.entries()) {
      const id = parts.policies.length === 1 ? `policies[${index}]` : `policies[${index}].${part}`;
      policies[id] = policy;
      const json = cedar.policyToJson(policy);
      if (json.type === 'failure') continue;
      if (json.json.effect === 'forbid') forbids.add(id);
      conditions.push(json.json.conditions);
    }
  }
  if (faults.length > 0) return { faults };
  const name = `berth-${++sets}`;
  const parsed = cedar.preparsePolicySet(name, { staticPolicies: policies });
  if (parsed.type === 'failure') {
    return { faults: [{ index: 0, line: 1, column: 1, message: describeError(parsed.errors[0]?.message) }] };
  }
  return {
    readsResources: JSON.stringify(conditions).includes('{"Var":"resource"}'),
    contextNames: readContextNames(conditions),
    decide(request) {
      const answer = cedar.statefulIsAuthorized({
        ...request,
        preparsedPolicySetId: name,
        validateRequest: false,
      });
      if (answer.type === 'failure') {
        return { allowed: false, policies: [], errors: answer.errors.map(({ message }) => message) };
      }
      const { decision, diagnostics } = answer.response;
      const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`);
      // The engine leaves out what it cannot evaluate. For a prohibition that would be a permission.
      const unread = diagnostics.errors.map(({ policyId }) => policyId).filter((id) => forbids.has(id));
      if (unread.length > 0) return { allowed: false, policies: unread, errors };
      return { allowed: decision === 'allow', policies: diagnostics.reason, errors };
    },
  };
}

/** @param offset in bytes of UTF-8 */
function placeOffset(text: string, offset: number): { line: number; column: number } {
  const before = Buffer.from(text).subarray(0, offset).toString().split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function describeError(message: string | undefined): string {
  return `cannot be parsed: ${message?.replace(/^failed to parse .*? from string: /, '') ?? 'unknown reason'}`;
}
