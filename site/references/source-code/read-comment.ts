import ts from 'typescript';
import type { Program } from './load-program.ts';

/**
 * The doc comment of an exported thing as plain text, without the numbers of the contract's sections.
 * @param file path from the root of the repository
 * @throws TypeError when there is none
 */
export function readComment(program: Program, file: string, name: string): string {
  const source = program.files.find((node) => program.fileOf(node) === file);
  const module = source && program.checker.getSymbolAtLocation(source);
  const symbol = module && program.checker.getExportsOfModule(module).find((one) => one.name === name);
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(program.checker) ?? []);
  if (text === '') throw new TypeError(`${file} has no comment on ${name}`);
  return cleanComment(text);
}

/** A comment on one line, without references to sections of documents a reader does not have. */
export function cleanComment(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ \((?:its |registry )?(?:contract|specification)[^()]*\)/g, '')
    .trim();
}
