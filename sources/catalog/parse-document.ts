import { type Document, isNode, isSeq, LineCounter, parseDocument as parseYaml } from 'yaml';
import { BerthError, type Place } from '../errors.ts';
import type { RawFile } from '../kinds/fetched.ts';
import { FORMS } from './list-items.ts';
import { locateItems } from './locate-items.ts';
import { locateJsonError } from './locate-json-error.ts';

/** A JSON or YAML file, parsed. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Lines (from 1) on which the items of the array at `path` begin; of anything else, the one line it begins on. */
  linesAt(path: readonly string[]): readonly number[];
}

/**
 * Reads a file as JSON or YAML, whichever its content is (contract 3). A byte order mark, CRLF and blank lines around
 * it are no matter.
 * @throws BerthError `catalog_unreadable` with file, line and column
 */
export function parseDocument(file: RawFile): ParsedDocument {
  const text = decodeText(file);
  if (text.trim() === '') {
    throw unreadable('The catalog is empty.', { file: file.path, line: 1, column: 1 }, FORMS);
  }
  const yamlName = /\.ya?ml$/i.test(file.path);
  if (!/^\s*[{[]/.test(text)) return parseYamlText(text, file);
  try {
    const value: unknown = JSON.parse(text);
    return { value, linesAt: (path) => locateItems(text, path) };
  } catch (cause) {
    if (yamlName) return parseYamlText(text, file);
    throw unreadable(
      'The catalog is no valid JSON.',
      { file: file.path, ...locateJsonError(text) },
      'Repair the JSON there.',
      cause,
    );
  }
}

/**
 * The text of a file, without a byte order mark.
 * @throws BerthError `catalog_unreadable` when it is not UTF-8
 */
export function decodeText(file: RawFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
  } catch (cause) {
    throw unreadable(
      'The file is not UTF-8 text.',
      { file: file.path, line: 1, column: 1 },
      'Save it as UTF-8.',
      cause,
    );
  }
}

/** The error of a catalog that cannot be read as a whole. */
export function unreadable(what: string, at: Place, fix: string, cause?: unknown): BerthError {
  return new BerthError('catalog_unreadable', what, { at, fix, ...(cause === undefined ? {} : { cause }) });
}

function parseYamlText(text: string, file: RawFile): ParsedDocument {
  const lines = new LineCounter();
  try {
    const document = parseYaml(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
    const [error] = document.errors;
    if (error) {
      const { line, col } = lines.linePos(error.pos[0]);
      const at = { file: file.path, line, column: col };
      throw unreadable(
        `The catalog is no valid YAML: ${error.message}.`,
        at,
        'Repair the YAML there.',
        error,
      );
    }
    return { value: document.toJS(), linesAt: (path) => locateYamlItems(document, path, lines) };
  } catch (error) {
    if (error instanceof BerthError) throw error;
    const what = 'The catalog is YAML that cannot be followed: too many aliases, or nested too deeply.';
    throw unreadable(what, { file: file.path, line: 1, column: 1 }, 'Write the values out.', error);
  }
}

function locateYamlItems(document: Document, path: readonly string[], lines: LineCounter): readonly number[] {
  const lineOf = (node: unknown) => (isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1);
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isSeq(node)) return node.items.map(lineOf);
  return isNode(node) ? [lineOf(node)] : [];
}
