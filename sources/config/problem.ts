import { BerthError } from '../errors.ts';
import { describeProblem } from './describe-problem.ts';

/** One thing wrong with a configuration and where; `file` is the path as the user gave it, line and column from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly fix?: string;
}

export type ConfigErrorCode = 'config_invalid' | 'config_not_found' | 'config_unreadable';

/**
 * A configuration that cannot be used. `problems` lists everything that is wrong, in the order of the file, and the
 * message holds one line for each; there are none when the file could not be read at all.
 * Codes: `config_invalid`, `config_not_found`, `config_unreadable`.
 */
export class ConfigError extends BerthError {
  readonly problems: readonly Problem[];

  constructor(code: ConfigErrorCode, problems: readonly Problem[], message?: string, cause?: unknown) {
    const first = problems[0];
    super(code, message ?? problems.map(describeProblem).join('\n'), {
      ...(first === undefined ? {} : { at: { file: first.file, line: first.line, column: first.column } }),
      ...(cause === undefined ? {} : { cause }),
    });
    this.name = 'ConfigError';
    this.problems = problems;
  }

  /** The message: its lines name their places themselves. */
  override describe(): string {
    return this.message;
  }
}
