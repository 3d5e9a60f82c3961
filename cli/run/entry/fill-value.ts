import { suggestName } from '../../../sources/config/nearest-name.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { Described, Filled, MissingInput } from './input.ts';

/** What the user gave, by name; marks what was asked for, so that it is not passed on besides. */
export interface GivenValues {
  get(name: string): string | undefined;
}

const PLACEHOLDER = /\{([^{}\s]+)\}/g;

/**
 * Fills one described value in (contract 2): its fixed `value` with `{variables}` put in, else what the user gave, else
 * its default. An optional value whose variables are not all known is left out.
 * @param asked how it is asked for when it is missing
 * @throws BerthError `input_refused` for a value that is no choice or has another format
 */
export function fillValue(
  described: Described,
  asked: Pick<MissingInput, 'name' | 'kind'>,
  given: GivenValues,
): Filled {
  if (described.value !== undefined) return fillTemplate(described.value, described, given);
  const answer = given.get(asked.name);
  const value = answer ?? described.default;
  if (value !== undefined) {
    checkValue(asked.name, value, described);
    return { value, secret: described.isSecret === true && answer !== undefined, missing: [] };
  }
  return { secret: false, missing: described.isRequired === true ? [describeMissing(asked, described)] : [] };
}

/** A text with its `{variables}` put in; one that is neither described nor given stays as it is written. */
export function fillTemplate(template: string, described: Described, given: GivenValues): Filled {
  const missing: MissingInput[] = [];
  let secret = false;
  let complete = true;
  const value = template.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const variable = described.variables?.[name];
    const answer = given.get(name);
    const known = answer ?? variable?.value ?? variable?.default;
    if (known !== undefined) {
      if (variable !== undefined) checkValue(name, known, variable);
      secret ||= answer !== undefined && (variable?.isSecret === true || described.isSecret === true);
      return known;
    }
    if (variable === undefined) return whole;
    complete = false;
    if (variable.isRequired === true || described.isRequired === true) {
      missing.push(describeMissing({ name, kind: 'variable' }, variable));
    }
    return whole;
  });
  return complete ? { value, secret, missing } : { secret: false, missing };
}

/** @throws BerthError `input_refused`; tells no value that is secret */
export function checkValue(name: string, value: string, { choices, format, isSecret }: Described): void {
  if (choices !== undefined && choices.length > 0 && !choices.includes(value)) {
    throw new BerthError(
      'input_refused',
      `${name} cannot be ${isSecret === true ? 'that' : `"${value}"`}: the entry allows ${choices.join(', ')}.`,
      isSecret === true ? {} : { fix: suggestName(value, choices) ?? 'Give one of them.' },
    );
  }
  const fits =
    format === 'number'
      ? value.trim() !== '' && Number.isFinite(Number(value))
      : format !== 'boolean' || /^(?:true|false)$/i.test(value);
  if (fits) return;
  throw new BerthError('input_refused', `${name} has to be a ${format}.`, {
    fix: format === 'boolean' ? 'Give true or false.' : 'Give a number.',
  });
}

function describeMissing(asked: Pick<MissingInput, 'name' | 'kind'>, described: Described): MissingInput {
  return {
    ...asked,
    secret: described.isSecret === true,
    ...(described.description === undefined ? {} : { description: described.description }),
    ...(described.choices === undefined ? {} : { choices: described.choices }),
  };
}
