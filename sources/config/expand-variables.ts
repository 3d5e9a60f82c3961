/** The environment a configuration is read in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  readonly text: string;
  /** Whether a variable was replaced. */
  readonly expanded: boolean;
  /** What could not be expanded, one sentence each. */
  readonly faults: readonly { message: string; fix: string }[];
}

const VARIABLE = /\$(\$?)\{([^}]*)(\}?)/g;
const INSIDE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in a text of the configuration (contract 2). As in a shell, the default
 * also stands for a variable that is set to nothing. `$${NAME}` is the way to write a literal `${NAME}`; any other `$`
 * is a plain character.
 */
export function expandVariables(text: string, env: Environment): Expansion {
  const faults: { message: string; fix: string }[] = [];
  let expanded = false;
  const result = text.replace(VARIABLE, (whole, doubled: string, inside: string, close: string) => {
    if (doubled !== '') return whole.slice(1);
    const match = INSIDE.exec(inside);
    const name = match?.[1];
    if (name === undefined || close === '') {
      faults.push({
        message: `a "\${" that is not \${NAME} or \${NAME:-default}`,
        fix: 'Write "$${" when a literal "${" is meant.',
      });
      return whole;
    }
    const fallback = match?.[2];
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    expanded = true;
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    faults.push({
      message: `the environment variable ${name} is not set`,
      fix: `Set it, or give a default: \${${name}:-default}.`,
    });
    return whole;
  });
  return { text: result, expanded, faults };
}
