import { SYSTEM_PREFIX } from '../secrets/secret-store.ts';
import { type Plan, planSchema } from './plan.ts';

/** A plan under another name, and where the secrets it now calls its own are to be copied from. */
export interface AdoptedPlan {
  readonly plan: Plan;
  /** Name of an own secret to the name it had. */
  readonly copies: ReadonlyMap<string, string>;
}

/**
 * Gives an exported plan another name. Secrets that Berth keeps for the workload it was exported from would end with
 * that workload, so the plan refers to copies of its own.
 */
export function adoptSecrets(plan: Plan, name: string): AdoptedPlan {
  const [former, own] = [`${SYSTEM_PREFIX}${plan.name}.`, `${SYSTEM_PREFIX}${name}.`];
  const copies = new Map<string, string>();
  if (former === own) return { plan, copies };
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(former)) {
      const adopted = own + value.slice(former.length);
      copies.set(adopted, value);
      return adopted;
    }
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rename(member)]));
  };
  return { plan: planSchema.parse(rename({ ...plan, name })), copies };
}
