import type { Problem } from '../../sources/config/problem.ts';

/** A problem of a configuration or catalog; `file` can be clicked: relative to the working directory, else absolute. */
export interface FoundProblem extends Problem {
  /** The source whose catalog has it. */
  readonly source?: string;
}

/** What a validation looked at and found. */
export interface Findings {
  readonly problems: readonly FoundProblem[];
  /** What was not looked at, and why. */
  readonly notes: readonly string[];
  /** Entry versions that are valid. */
  readonly valid: number;
}

export const NOTHING_FOUND: Findings = { problems: [], notes: [], valid: 0 };

export function joinFindings(all: readonly Findings[]): Findings {
  return {
    problems: all.flatMap(({ problems }) => problems),
    notes: all.flatMap(({ notes }) => notes),
    valid: all.reduce((sum, { valid }) => sum + valid, 0),
  };
}
