import type { CedarValue } from './load-policies.ts';

const MAX_DEPTH = 16;
/** Cedar's decimals have four digits after the point. */
const DECIMAL_DIGITS = 4;
const DECIMAL_LIMIT = 922_337_203_685_477;

/**
 * A JSON value as Cedar has it: whole numbers as longs, others as decimals, arrays as sets. What Cedar has no form for
 * (null, numbers beyond its range, keys of its own syntax) is left out, so that a policy that asks for it denies.
 */
export function toCedarValue(json: unknown, depth = 0): CedarValue | undefined {
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return toCedarNumber(json);
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(json)) return json.flatMap((item) => toCedarValue(item, depth + 1) ?? []);
  const members: Record<string, CedarValue> = {};
  for (const [name, member] of Object.entries(json)) {
    if (name.startsWith('__')) return undefined;
    const value = toCedarValue(member, depth + 1);
    if (value !== undefined) members[name] = value;
  }
  return members;
}

function toCedarNumber(value: number): CedarValue | undefined {
  if (Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value) || Number.isInteger(value) || Math.abs(value) > DECIMAL_LIMIT) return undefined;
  return { __extn: { fn: 'decimal', arg: value.toFixed(DECIMAL_DIGITS) } };
}

/** `prefix_name` for every member of an object that Cedar can hold. */
export function prefixMembers(
  prefix: string,
  members: Readonly<Record<string, unknown>> | undefined,
): Record<string, CedarValue> {
  const named: Record<string, CedarValue> = {};
  for (const [name, member] of Object.entries(members ?? {})) {
    const value = toCedarValue(member);
    if (value !== undefined) named[`${prefix}_${name}`] = value;
  }
  return named;
}
