import { BerthError } from '../../../sources/errors.ts';
import { fillValue, type GivenValues } from './fill-value.ts';
import type { Argument, Filled, MissingInput } from './input.ts';

export interface FilledArgument {
  /** Absent for positional ones. */
  readonly name?: string;
  /** Absent for a name that stands alone. */
  readonly value?: string;
}

/**
 * The arguments of an entry, filled in. What is optional and not known is left out.
 * @throws BerthError `input_refused`, `argument_secret`
 */
export function fillArguments(
  described: readonly Argument[],
  given: GivenValues,
): { readonly filled: readonly FilledArgument[]; readonly missing: readonly MissingInput[] } {
  const filled: FilledArgument[] = [];
  const missing: MissingInput[] = [];
  for (const argument of described) {
    const name = nameOf(argument);
    const result = fillValue(argument, { name, kind: 'argument' }, given);
    refuseSecret(name, result);
    missing.push(...result.missing);
    if (argument.type === 'positional') {
      if (result.value !== undefined) filled.push({ value: result.value });
    } else if (argument.format === 'boolean' && result.value !== undefined) {
      if (result.value.toLowerCase() === 'true') filled.push({ name: argument.name });
    } else if (result.value !== undefined) {
      filled.push({ name: argument.name, value: result.value });
    } else if (isBare(argument)) {
      filled.push({ name: argument.name });
    }
  }
  return { filled, missing };
}

/** Words of a command line. */
export function toWords(filled: readonly FilledArgument[]): string[] {
  return filled.flatMap(({ name, value }) => [name, value].filter((word) => word !== undefined));
}

function nameOf(argument: Argument): string {
  return argument.type === 'named' ? argument.name : (argument.valueHint ?? 'argument');
}

/** A name of which nothing says that it takes a value, such as `--yes`. */
function isBare({
  value,
  default: preset,
  choices,
  format,
  placeholder,
  isRequired,
  variables,
}: Argument): boolean {
  const takesValue = [value, preset, choices, format, placeholder, variables].some(
    (part) => part !== undefined,
  );
  return !takesValue && isRequired !== true;
}

/** Arguments are seen in the list of processes and kept in the state of a workload. */
function refuseSecret(name: string, { secret }: Filled): void {
  if (!secret) return;
  throw new BerthError(
    'argument_secret',
    `The argument ${name} of the entry is a secret, and arguments are not.`,
    {
      fix: 'Give the arguments after -- yourself, or run the server in another way.',
    },
  );
}
