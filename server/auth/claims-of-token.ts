import type { HeldClaims } from '../../sources/model/claims.ts';

const MAX_DEPTH = 5;
const MAX_NESTED = 1000;

/**
 * What a token's members let its caller hold (contract 7): a string is one value, an array contributes its strings,
 * anything else nothing. `scope` contributes the whole string and each of its parts. A member inside an object is
 * reached by its dotted path (`realm_access.roles`), at most five levels deep, unless the token has a member of that
 * very name, which then decides alone.
 * @param members the payload of a JWT or the answer of an introspection
 */
export function readHeldClaims(members: Readonly<Record<string, unknown>>): HeldClaims {
  const held = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(members)) {
    const values = key === 'scope' ? splitScope(value) : stringsOf(value);
    if (values.length > 0) held.set(key, values);
  }
  let room = MAX_NESTED;
  const descend = (object: object, prefix: string, depth: number): void => {
    for (const [key, value] of Object.entries(object)) {
      if (room-- <= 0) return;
      const path = `${prefix}.${key}`;
      const values = stringsOf(value);
      if (values.length > 0 && !held.has(path) && !Object.hasOwn(members, path)) held.set(path, values);
      if (isNested(value) && depth < MAX_DEPTH) descend(value, path, depth + 1);
    }
  };
  for (const [key, value] of Object.entries(members)) if (isNested(value)) descend(value, key, 2);
  return held;
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}

function splitScope(value: unknown): string[] {
  if (typeof value !== 'string') return stringsOf(value);
  return [...new Set([value, ...value.split(' ').filter((part) => part !== '')])];
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
