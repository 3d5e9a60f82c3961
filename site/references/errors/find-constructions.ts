import ts from 'typescript';
import type { Program } from '../source-code/load-program.ts';

/** One place where an error with a code is made. */
export interface Construction {
  readonly node: ts.NewExpression | ts.CallExpression;
  readonly code: ts.Expression;
  readonly status: ts.Expression | undefined;
  readonly message: ts.Expression | undefined;
  readonly options: ts.Expression | undefined;
  /** The class that is made: `BerthError`, `HttpError` or one that extends them. */
  readonly className: string;
}

/** Finds every `new BerthError(…)` and `new HttpError(…)`, and the `super(…)` of the classes that extend them. */
export function findConstructions(program: Program): Construction[] {
  const found: Construction[] = [];
  const visit = (node: ts.Node): void => {
    const base = baseOf(node);
    if (base && (ts.isNewExpression(node) || ts.isCallExpression(node))) {
      const [first, second, third, fourth] = node.arguments ?? [];
      const className = classAround(node) ?? base;
      const parts =
        base === 'HttpError'
          ? { status: first, code: second, message: third, options: fourth }
          : { status: undefined, code: first, message: second, options: third };
      if (parts.code) found.push({ ...parts, code: parts.code, node, className });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.files) visit(file);
  return found;
}

function baseOf(node: ts.Node): 'BerthError' | 'HttpError' | undefined {
  if (ts.isNewExpression(node)) return asBase(node.expression.getText());
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.SuperKeyword) return undefined;
  const owner = ts.findAncestor(node, ts.isClassDeclaration);
  const parent = owner?.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '';
  return owner?.name?.text === 'HttpError' ? undefined : asBase(parent);
}

function asBase(name: string): 'BerthError' | 'HttpError' | undefined {
  return name === 'BerthError' || name === 'HttpError' ? name : undefined;
}

/** The class whose constructor calls `super`. */
function classAround(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) ? ts.findAncestor(node, ts.isClassDeclaration)?.name?.text : undefined;
}
