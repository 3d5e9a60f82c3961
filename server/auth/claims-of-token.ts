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
  let nests = false;
  for (const key of Object.keys(members)) {
    const value = members[key];
    nests ||= isNested(value);
    const values = key === 'scope' ? splitScope(value) : stringsOf(value);
    if (values.length > 0) held.set(key, values);
  }
  if (nests) addNested(held, members, members, '', 1, MAX_NESTED);
  return held;
}

/** @returns how many more nested members may be looked at */
function addNested(
  held: Map<string, readonly string[]>,
  members: Readonly<Record<string, unknown>>,
  object: object,
  prefix: string,
  depth: number,
  room: number,
): number {
  let left = room;
  for (const [key, value] of Object.entries(object)) {
    const path = prefix + key;
    if (depth > 1) {
      if (left <= 0) return 0;
      left -= 1;
      const values = stringsOf(value);
      if (values.length > 0 && !held.has(path) && !Object.hasOwn(members, path)) held.set(path, values);
    }
    if (isNested(value) && depth < MAX_DEPTH) {
      left = addNested(held, members, value, `${path}.`, depth + 1, left);
    }
  }
  return left;
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
