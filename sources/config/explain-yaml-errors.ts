import type { LineCounter, YAMLError } from 'yaml';
import type { Position } from './config-tree.ts';

/** A problem in the text itself, before its place has a file. */
export interface TextFault {
  readonly at: Position;
  readonly message: string;
  readonly fix?: string;
}

/** Errors after which the rest of the text still means what it says. */
const HARMLESS: Readonly<Record<string, { message: string; fix: string }>> = {
  MULTIPLE_DOCS: {
    message: 'a second YAML document starts here',
    fix: 'A configuration is one document: remove the "---".',
  },
  DUPLICATE_KEY: { message: 'this key is given twice', fix: 'Keep one of them.' },
  TAG_RESOLVE_FAILED: { message: 'unknown YAML tag', fix: 'Remove the tag.' },
};

/**
 * What the YAML parser found, in words. Of the syntax errors only the first is told: the others follow from it.
 * @returns `broken` when the structure cannot be trusted
 */
export function explainYamlErrors(
  errors: readonly YAMLError[],
  text: string,
  lines: LineCounter,
): { faults: TextFault[]; broken: boolean } {
  const slip = errors.find((error) => !Object.hasOwn(HARMLESS, error.code));
  const told = errors.filter((error) => error === slip || Object.hasOwn(HARMLESS, error.code));
  const faults = told.map((error) => ({
    at: placeOffset(lines, error.pos[0]),
    ...(HARMLESS[error.code] ?? explainSlip(error.message, lineBefore(text, error.pos[0]))),
  }));
  return { faults, broken: slip !== undefined };
}

/** The line and column of an offset; the first of both in an empty text. */
export function placeOffset(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function explainSlip(problem: string, before: string): { message: string; fix?: string } {
  const message = `not valid YAML: ${problem.split('\n', 1)[0] ?? problem}`;
  const variable = before.lastIndexOf('${');
  if (variable === -1 || !/[[{]/.test(before.slice(0, variable))) return { message };
  return { message, fix: `Between { } or [ ] a "\${NAME}" must stand in quotes.` };
}

/** The line up to and with the characters at an offset. */
function lineBefore(text: string, offset: number): string {
  return text.slice(offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1, offset + 2);
}
