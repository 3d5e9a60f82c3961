import { checkValue, fillValue, type GivenValues } from './fill-value.ts';
import type { KeyValue, MissingInput } from './input.ts';

export interface FilledKeyValues {
  readonly plain: Readonly<Record<string, string>>;
  /** Values that are secrets of the user. */
  readonly secret: Readonly<Record<string, string>>;
  readonly missing: readonly MissingInput[];
}

/**
 * Environment variables or headers of an entry, filled in.
 * @param taken whether a flag names the secret or the value for it already
 * @throws BerthError `input_refused`
 */
export function fillKeyValues(
  described: readonly KeyValue[],
  kind: 'variable' | 'header',
  given: GivenValues,
  taken: (name: string) => boolean,
): FilledKeyValues {
  const plain: Record<string, string> = {};
  const secret: Record<string, string> = {};
  const missing: MissingInput[] = [];
  for (const one of described) {
    const { name } = one;
    if (taken(name)) continue;
    const answer = given.get(name);
    if (answer !== undefined) {
      checkValue(name, answer, one);
      (one.isSecret === true ? secret : plain)[name] = answer;
      continue;
    }
    const filled = fillValue(one, { name, kind }, given);
    missing.push(...filled.missing);
    if (filled.value !== undefined) (filled.secret ? secret : plain)[name] = filled.value;
  }
  return { plain, secret, missing };
}
