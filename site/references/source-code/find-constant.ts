import ts from 'typescript';
import type { Program } from './load-program.ts';

/** What a name is bound to once and for all: the initializer of its `const`, also of another file. */
export function findConstant(node: ts.Expression, program: Program): ts.Expression | undefined {
  const symbol = symbolOf(node, program);
  const target =
    symbol && symbol.flags & ts.SymbolFlags.Alias ? program.checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target?.valueDeclaration;
  if (!declaration || !ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name))
    return undefined;
  return declaration.parent.flags & ts.NodeFlags.Const ? declaration.initializer : undefined;
}

/** What a name stands for; in `{ name }` the variable, not the property. */
export function symbolOf(node: ts.Node, program: Program): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(node.parent)
    ? program.checker.getShorthandAssignmentValueSymbol(node.parent)
    : program.checker.getSymbolAtLocation(node);
}

/** The words of `LIST.join(', ')` where the list is written out. */
export function joinList(node: ts.CallExpression, program: Program): string | undefined {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return undefined;
  let list = findConstant(expression.expression, program);
  while (list && (ts.isAsExpression(list) || ts.isSatisfiesExpression(list))) list = list.expression;
  const separator = node.arguments[0];
  if (!list || !ts.isArrayLiteralExpression(list) || !separator || !ts.isStringLiteral(separator))
    return undefined;
  const words = list.elements.map((element) => (ts.isStringLiteral(element) ? element.text : undefined));
  return words.includes(undefined) ? undefined : words.join(separator.text);
}
