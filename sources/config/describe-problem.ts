import { formatPlace } from '../errors.ts';
import type { Problem } from './problem.ts';

/**
 * A problem as one line, `file:line:column: what is wrong. What to do.`: the form of `berth validate`, of the log and
 * of the readiness details (contract 1 and 2).
 */
export function describeProblem(problem: Problem): string {
  const what = problem.message.replace(/\s*\n\s*/g, ' ');
  const line = `${formatPlace(problem)}: ${what}`;
  if (problem.fix === undefined) return line;
  return `${/[.?!]$/.test(what) ? line : `${line}.`} ${problem.fix}`;
}
