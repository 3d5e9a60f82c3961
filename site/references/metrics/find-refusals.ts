import ts from 'typescript';
import type { Program } from '../source-code/load-program.ts';

const FILE = 'server/auth/refusal.ts';

/** Every reason a token is refused for, and what the caller is told; in alphabetical order. */
export function findRefusals(program: Program): { readonly reason: string; readonly description: string }[] {
  const source = program.files.find((one) => program.fileOf(one) === FILE);
  const found: { reason: string; description: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isArrayLiteralExpression(node.initializer)) {
      const description = node.initializer.elements[1];
      if (description && ts.isStringLiteral(description))
        found.push({ reason: node.name.getText(), description: description.text });
    }
    ts.forEachChild(node, visit);
  };
  if (source) visit(source);
  if (found.length === 0) throw new TypeError(`${FILE} has no reasons`);
  return found.sort((a, b) => (a.reason < b.reason ? -1 : 1));
}
