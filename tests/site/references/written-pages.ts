import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFERENCE_DIRECTORY } from '../../../site/references/reference-files.ts';

/** The references as they are kept, by their path; `generate.test.ts` proves that they are those of the code. */
export function readPages(): ReadonlyMap<string, string> {
  const files = readdirSync(REFERENCE_DIRECTORY, { recursive: true, encoding: 'utf8' });
  return new Map(files.filter((path) => path.endsWith('.md')).map((path) => [path, readPage(path)]));
}

/** The Markdown of a page. */
export function readPage(path: string): string {
  return readFileSync(join(REFERENCE_DIRECTORY, path), 'utf8');
}

/** The cells of the first row of a table that has these words as code in it; none when there is no such row. */
export function findRow(text: string, code: string): string[] {
  const line = text.split('\n').find((one) => one.startsWith('| ') && one.includes(`\`${code}\``));
  return line === undefined
    ? []
    : line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
}
