import type { ServerJson } from '../../../../sources/model/server-json.ts';

type Package = NonNullable<ServerJson['packages']>[number];
type Remote = NonNullable<ServerJson['remotes']>[number];
type Argument = NonNullable<Package['packageArguments']>[number];
type KeyValue = NonNullable<Package['environmentVariables']>[number];
type Variables = NonNullable<Remote['variables']>;
type Variable = Variables[string];

/** Something that is filled in before a server starts, as a table shows it. */
export interface InputLine {
  readonly name: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** What it is when nobody fills it in. */
  readonly preset: string | undefined;
  readonly choices: readonly string[];
}

export function describeKeyValues(inputs: readonly KeyValue[] | undefined): InputLine[] {
  return (inputs ?? []).flatMap((input) => [
    lineOf(input.name, input),
    ...describeVariables(input.variables),
  ]);
}

export function describeArguments(inputs: readonly Argument[] | undefined): InputLine[] {
  return (inputs ?? []).flatMap((input) => {
    const name = input.type === 'named' ? input.name : (input.valueHint ?? input.value ?? '');
    return [lineOf(name, input), ...describeVariables(input.variables)];
  });
}

/** The `{name}` parts of a value or a URL. */
export function describeVariables(variables: Variables | undefined): InputLine[] {
  return Object.entries(variables ?? {}).map(([name, input]) => lineOf(`{${name}}`, input));
}

function lineOf(name: string, input: Variable): InputLine {
  const preset = input.value ?? input.default;
  return {
    name,
    description: input.description,
    isRequired: input.isRequired === true && preset === undefined,
    isSecret: input.isSecret === true,
    preset: preset === name ? undefined : preset,
    choices: input.choices ?? [],
  };
}
