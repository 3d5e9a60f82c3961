import type { z } from 'zod';
import type {
  argumentSchema,
  keyValueSchema,
  variablesSchema,
} from '../../../../sources/model/input-schema.ts';

type Variables = z.infer<typeof variablesSchema>;
type Described = Variables[string] & { readonly variables?: Variables | undefined };
export type KeyValue = z.infer<typeof keyValueSchema>;
export type Argument = z.infer<typeof argumentSchema>;

/** A value the user of a snippet has to give. */
export interface Ask {
  readonly name: string;
  readonly description: string | undefined;
  readonly isSecret: boolean;
  readonly choices: readonly string[];
}

/** A value, piece by piece: text of the entry and what is asked for. */
export type ValueParts = readonly (string | Ask)[];

const PLACEHOLDER = /\{([^{}\s]+)\}/g;

/**
 * A value as `berth run` fills it in when nobody gives anything: fixed text with its variables, else the default, else
 * it is asked for. Undefined for what is optional and not known.
 */
export function readParts(name: string, described: Described): ValueParts | undefined {
  if (described.value !== undefined)
    return readTemplate(described.value, described.variables, described.isRequired === true);
  if (described.default !== undefined) return [described.default];
  return described.isRequired === true ? [askFor(name, described)] : undefined;
}

/**
 * A text with its `{variables}`; one that is not described stays as it is written.
 * @param isRequired false: undefined when a variable is neither known nor required
 */
export function readTemplate(
  template: string,
  variables: Variables = {},
  isRequired = true,
): ValueParts | undefined {
  const parts: (string | Ask)[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [whole, name = ''] = match;
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const known = variable ? (variable.value ?? variable.default) : whole;
    if (known === undefined && !isRequired && variable?.isRequired !== true) return undefined;
    parts.push(template.slice(end, match.index), known ?? askFor(name, variable ?? {}));
    end = match.index + whole.length;
  }
  return [...parts, template.slice(end)].filter((part) => part !== '');
}

/** The words of arguments; those that are optional and not known are left out. */
export function readArguments(described: readonly Argument[]): ValueParts[] {
  return described.flatMap((argument): ValueParts[] => {
    if (argument.type === 'positional') {
      const parts = readParts(argument.valueHint ?? 'argument', argument);
      return parts ? [parts] : [];
    }
    if (argument.format === 'boolean') {
      const isOn = /^true$/i.test(argument.value ?? argument.default ?? '');
      return isOn ? [[argument.name]] : [];
    }
    const parts = readParts(argument.name.replace(/^-+/, ''), argument);
    if (parts) return [[argument.name], parts];
    return standsAlone(argument) ? [[argument.name]] : [];
  });
}

/** A name of which nothing says that it takes a value, such as `--yes`. */
function standsAlone({ choices, format, placeholder, variables, isRequired }: Argument): boolean {
  return isRequired !== true && [choices, format, placeholder, variables].every((part) => part === undefined);
}

function askFor(name: string, { description, isSecret, choices }: Described): Ask {
  return { name, description, isSecret: isSecret === true, choices: choices ?? [] };
}
