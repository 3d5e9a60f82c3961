import type { z } from 'zod';

/** What is wrong with one member; `path` is empty for the whole object. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
};

/** The message of an issue whose schema has none of its own. Given to `safeParse` as its `error`. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is missing';
    return `must be ${EXPECTED[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be ${joinWithOr(issue.values.map(String))}`;
  return undefined;
}

/** The problems of a failed parse, in the order of the members. */
export function describeProblems(error: z.ZodError): readonly Problem[] {
  return error.issues.map((issue) => ({ path: formatPath(issue.path), message: issue.message }));
}

const MOST_SHOWN = 3;

/** Problems as one line: `description: must have at least 1 character`. The first three, then how many more. */
export function summarizeProblems(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, MOST_SHOWN)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = problems.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** `packages[0].transport`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function joinWithOr(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
