import ts from 'typescript';
import { bindParameters, type Scope } from './evaluate-text.ts';
import { symbolOf } from './find-constant.ts';
import type { Program } from './load-program.ts';

const DEEPEST = 5;

/**
 * Every way the variables in some expressions can be bound: one scope for each call of the function around them, and
 * one for each literal of a table they pick from. One empty scope when nothing is bound.
 */
export function expandScopes(
  expressions: readonly ts.Expression[],
  program: Program,
  depth = 0,
): (Scope | undefined)[] {
  const names = expressions.flatMap(listNames);
  const picked = names.flatMap((name) => findPicked(name, program) ?? []).at(0);
  const scopes = depth > DEEPEST ? [undefined] : bindCalls(names, program, depth);
  if (!picked) return scopes;
  return scopes.flatMap((next) =>
    picked.literals.map((value) => ({ symbol: picked.symbol, value, outer: undefined, next })),
  );
}

function bindCalls(names: readonly ts.Identifier[], program: Program, depth: number): (Scope | undefined)[] {
  const owner = names.flatMap((name) => findOwner(name, program) ?? []).at(0);
  const calls = owner ? program.listCalls(owner) : [];
  if (!owner || calls.length === 0) return [undefined];
  return calls.flatMap((call) => {
    const given = call.arguments ?? [];
    return expandScopes([...given], program, depth + 1).map((outer) =>
      bindParameters(owner, given, outer, undefined, { program, isExact: true }),
    );
  });
}

/** The function a name is a parameter of. */
export function findOwner(name: ts.Identifier, program: Program): ts.SignatureDeclaration | undefined {
  const declaration = symbolOf(name, program)?.valueDeclaration;
  if (!declaration || !ts.isParameter(declaration)) return undefined;
  const owner = declaration.parent;
  const isNamed =
    ts.isFunctionDeclaration(owner) || ts.isConstructorDeclaration(owner) || ts.isMethodDeclaration(owner);
  return isNamed || ts.isVariableDeclaration(owner.parent) ? owner : undefined;
}

/** The literals a variable can be, when it is one of a table whose members have a type of their own. */
function findPicked(name: ts.Identifier, program: Program) {
  const symbol = symbolOf(name, program);
  const declaration = symbol?.valueDeclaration;
  if (!symbol || !declaration || !ts.isVariableDeclaration(declaration)) return undefined;
  const type = program.checker.getNonNullableType(program.checker.getTypeAtLocation(name)).getSymbol();
  const isOwn = type?.declarations?.every(
    (at) => ts.isInterfaceDeclaration(at) && program.files.includes(at.getSourceFile()),
  );
  const literals = type && isOwn ? program.listLiterals(type) : [];
  return literals.length > 0 ? { symbol, literals } : undefined;
}

function listNames(node: ts.Node): ts.Identifier[] {
  if (ts.isIdentifier(node)) return [node];
  if (ts.isPropertyAccessExpression(node)) return listNames(node.expression);
  if (ts.isPropertyAssignment(node)) return listNames(node.initializer);
  const names: ts.Identifier[] = [];
  ts.forEachChild(node, (child) => {
    names.push(...listNames(child));
  });
  return names;
}
