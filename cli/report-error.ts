import { BerthError, messageOf } from '../sources/errors.ts';

/** The part of a process a command talks through. */
export interface ErrorSink {
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Tells a person what went wrong: what we raised on purpose as it describes itself, anything else with the way to its
 * stack.
 */
export function reportError(error: unknown, { stderr, env }: ErrorSink): void {
  if (error instanceof BerthError) {
    stderr.write(`${error.describe()}\n`);
    return;
  }
  if (env.BERTH_LOG_LEVEL?.toLowerCase() === 'debug' && error instanceof Error) {
    stderr.write(`${error.stack ?? error.message}\n`);
    return;
  }
  stderr.write(`Unexpected error: ${messageOf(error)}\nSet BERTH_LOG_LEVEL=debug for the stack.\n`);
}
