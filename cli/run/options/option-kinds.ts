import { Option } from 'clipanion';

/** What a switch holds once it was given: `--flag`, `--no-flag` or `--flag=TEXT`. */
export type GivenSwitch = boolean | string;

/** `--flag VALUE`. Absent when it was not given: defaults are those of the plan. */
export function textOption(names: string, description: string): string | undefined {
  return Option.String(names, { description });
}

/** `--flag VALUE`, repeatable. */
export function listOption(names: string, description: string): string[] | undefined {
  return Option.Array(names, { description });
}

/** `--flag`, `--no-flag`, `--flag=true`, `--flag=false`; a Boolean option of the parser takes no `=false`. */
export function switchOption(names: string, description: string): GivenSwitch | undefined {
  return Option.String(names, { tolerateBoolean: true, description });
}
