import { type ClaimSet, type Claims, claimsKey, normalizeClaims } from '../../sources/model/claims.ts';

/**
 * The distinct claims of a managed source's entries. Only ever grows: a number that was given out means the same claims
 * as long as the process lives, also after the last entry that has them went.
 */
export class ClaimsClasses {
  readonly #classes: ClaimSet[] = [];
  readonly #numbers = new Map<string, number>();

  /** Index = the number of the class. */
  get list(): readonly ClaimSet[] {
    return this.#classes;
  }

  /** The number of the class of these claims; a new one when nobody had them before. */
  intern(claims: Claims): number {
    const set = normalizeClaims(claims);
    const key = claimsKey(set);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#classes.push(set) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
