import ts from 'typescript';
import type { Program } from '../source-code/load-program.ts';

/**
 * The names of span attributes written down in a function or file, in alphabetical order.
 * @param file path from the root of the repository
 * @param functionName all of the file when left out
 * @throws TypeError when there are none: the code has moved
 */
export function findAttributes(program: Program, file: string, functionName?: string): string[] {
  const source = program.files.find((one) => program.fileOf(one) === file);
  const root = functionName === undefined ? source : findFunction(source, functionName);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  if (root) visit(root);
  if (names.size === 0) throw new TypeError(`${file} has no attributes in ${functionName ?? 'it'}`);
  return [...names].sort();
}

function findFunction(source: ts.SourceFile | undefined, name: string): ts.Node | undefined {
  return source?.statements.find((node) => ts.isFunctionDeclaration(node) && node.name?.text === name);
}
