import { BerthError } from '../../sources/errors.ts';

export interface RuntimeArgumentForms {
  readonly scheme: string;
  /** Options without a value that mean nothing to a build. */
  readonly ignored: readonly string[];
  /** Options with a value that may come again, by what they are called in the result. */
  readonly repeatable: Readonly<Record<string, string>>;
  /** Options with a value. */
  readonly single: Readonly<Record<string, string>>;
}

/**
 * Reads the arguments a registry entry has for npx or uvx itself, as `--with X` or `--with=X`.
 *
 * @returns values by name, in order
 * @throws BerthError `runtime_argument_unsupported` for an option a build cannot honour
 */
export function readRuntimeArguments(
  words: readonly string[],
  forms: RuntimeArgumentForms,
): { readonly extra: Readonly<Record<string, readonly string[]>> } {
  const extra: Record<string, string[]> = {};
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (forms.ignored.includes(word)) continue;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const option = equals === -1 ? word : word.slice(0, equals);
    const key = forms.repeatable[option] ?? forms.single[option];
    const value = equals === -1 ? words[index + 1] : word.slice(equals + 1);
    if (key === undefined || value === undefined) {
      throw new BerthError(
        'runtime_argument_unsupported',
        `The registry entry wants ${forms.scheme} to be run with ${word}, which a container build cannot honour.`,
        { fix: `Run the package itself: berth run ${forms.scheme}://PACKAGE.` },
      );
    }
    if (equals === -1) index++;
    extra[key] = option in forms.single ? [value] : [...(extra[key] ?? []), value];
  }
  return { extra };
}
