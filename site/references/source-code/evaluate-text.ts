import ts from 'typescript';
import { findConstant, joinList, symbolOf } from './find-constant.ts';
import type { Program } from './load-program.ts';

/** What a parameter or variable stands for at one place it is used from: an expression there, with its own scope. */
export interface Scope {
  readonly symbol: ts.Symbol;
  readonly value: ts.Expression;
  readonly outer: Scope | undefined;
  readonly next: Scope | undefined;
}

/** How expressions are read. */
export interface Reading {
  readonly program: Program;
  /** Whether a variable of a type such as `'server' | 'skill'` is read as each of them, which codes need. */
  readonly isExact: boolean;
}

/** A part of a text that is known at run time only. */
const HOLE = /^\{[^{}]*\}$/;
const MOST = 24;

/**
 * The texts an expression can be. What only a run knows becomes `{name}`.
 * @param scope what parameters stand for, innermost first
 */
export function evaluateText(
  node: ts.Expression,
  scope: Scope | undefined,
  reading: Reading,
  depth = 0,
): string[] {
  const again = (inner: ts.Expression, innerScope = scope) =>
    evaluateText(inner, innerScope, reading, depth + 1);
  if (depth > 12) return [nameHole(node)];
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return again(node.expression);
  if (ts.isConditionalExpression(node)) return unique([...again(node.whenTrue), ...again(node.whenFalse)]);
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (texts, span) => multiply(multiply(texts, again(span.expression)), [span.literal.text]),
      [node.head.text],
    );
  }
  if (ts.isBinaryExpression(node)) {
    if (isNumber(node, reading)) return [nameHole(node)];
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return multiply(again(node.left), again(node.right));
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      const left = again(node.left);
      // Inside a text the default would look like the only thing there can be.
      const isInside = ts.isTemplateSpan(node.parent) || ts.isVariableDeclaration(node.parent);
      if (isInside && !reading.isExact && left.every((text) => HOLE.test(text))) return left;
      const texts = unique([...left, ...again(node.right)]).filter((text) => text !== '');
      const known = texts.filter((text) => !HOLE.test(text));
      return known.length > 0 ? known : texts;
    }
  }
  if (ts.isIdentifier(node)) return evaluateName(node, scope, reading, depth);
  if (ts.isPropertyAccessExpression(node)) {
    const found = findProperty(node, scope, reading);
    if (found) return again(found.value, found.scope);
  }
  if (ts.isElementAccessExpression(node)) {
    const table = findConstant(node.expression, reading.program);
    if (table && ts.isObjectLiteralExpression(table))
      return unique(listValues(table).flatMap((value) => again(value)));
  }
  if (ts.isCallExpression(node)) {
    const texts = evaluateCall(node, scope, reading, depth);
    if (texts) return texts;
  }
  return literalsOfType(node, reading) ?? [nameHole(node)];
}

function evaluateName(
  node: ts.Identifier,
  scope: Scope | undefined,
  reading: Reading,
  depth: number,
): string[] {
  const symbol = symbolOf(node, reading.program);
  for (let at = scope; at && symbol; at = at.next) {
    if (at.symbol !== symbol) continue;
    const texts = evaluateText(at.value, at.outer, reading, depth + 1);
    return texts.length === 1 && HOLE.test(texts[0] ?? '') ? [`{${node.text}}`] : texts;
  }
  const constant = findConstant(node, reading.program);
  const literals = literalsOfType(node, reading);
  if (constant && !literals) {
    const texts = evaluateText(constant, scope, reading, depth + 1);
    return texts.some((text) => HOLE.test(text)) ? [`{${node.text}}`] : texts;
  }
  return literals ?? [`{${node.text}}`];
}

/** The texts a function answers, when it only answers and does not decide by more than conditions. */
function evaluateCall(
  node: ts.CallExpression,
  scope: Scope | undefined,
  reading: Reading,
  depth: number,
): string[] | undefined {
  const joined = joinList(node, reading.program);
  if (joined !== undefined) return [joined];
  const property = ts.isPropertyAccessExpression(node.expression)
    ? findProperty(node.expression, scope, reading)
    : undefined;
  const declared = reading.program.checker.getResolvedSignature(node)?.declaration;
  const called = property?.value ?? declared;
  if (!called || !(ts.isArrowFunction(called) || ts.isFunctionDeclaration(called)) || !called.body)
    return undefined;
  const answers = ts.isBlock(called.body) ? listAnswers(called.body) : [called.body];
  if (answers.length === 0) return undefined;
  const inner = bindParameters(called, node.arguments, scope, property?.scope, reading);
  const texts = unique(answers.flatMap((answer) => evaluateText(answer, inner, reading, depth + 1)));
  return texts.every((text) => HOLE.test(text)) ? [nameHole(node)] : texts;
}

/** The scope inside a function that is called with these arguments. */
export function bindParameters(
  called: ts.SignatureDeclaration,
  given: readonly ts.Expression[],
  outer: Scope | undefined,
  next: Scope | undefined,
  reading: Reading,
): Scope | undefined {
  return called.parameters.reduce<Scope | undefined>((scope, parameter, index) => {
    const symbol = ts.isIdentifier(parameter.name)
      ? reading.program.checker.getSymbolAtLocation(parameter.name)
      : undefined;
    const value = given[index] ?? parameter.initializer;
    return symbol && value ? { symbol, value, outer, next: scope } : scope;
  }, next);
}

/** The value of `name.property` where the scope says which object literal `name` is. */
function findProperty(node: ts.PropertyAccessExpression, scope: Scope | undefined, reading: Reading) {
  const symbol = reading.program.checker.getSymbolAtLocation(node.expression);
  for (let at = scope; at && symbol; at = at.next) {
    if (at.symbol !== symbol || !ts.isObjectLiteralExpression(at.value)) continue;
    const found = readProperty(at.value, node.name.text);
    if (found) return { value: found, scope: at.outer };
  }
  return undefined;
}

/** The expression of a property of an object literal; that of a spread literal or condition too. */
export function readProperty(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const member of literal.properties) {
    if (ts.isPropertyAssignment(member) && member.name.getText() === name) return member.initializer;
    if (ts.isShorthandPropertyAssignment(member) && member.name.text === name) return member.name;
    if (ts.isSpreadAssignment(member)) {
      for (const inner of listLiteralsIn(member.expression)) {
        const found = readProperty(inner, name);
        if (found) return found;
      }
    }
  }
  return undefined;
}

function listLiteralsIn(node: ts.Expression): ts.ObjectLiteralExpression[] {
  if (ts.isObjectLiteralExpression(node)) return [node];
  if (ts.isParenthesizedExpression(node)) return listLiteralsIn(node.expression);
  if (ts.isConditionalExpression(node))
    return [...listLiteralsIn(node.whenTrue), ...listLiteralsIn(node.whenFalse)];
  return [];
}

function literalsOfType(node: ts.Expression, reading: Reading): string[] | undefined {
  const type = reading.program.checker.getTypeAtLocation(node);
  const parts = type.isUnion() ? type.types : [type];
  const texts = parts.flatMap((part) =>
    part.isStringLiteral() || part.isNumberLiteral() ? [String(part.value)] : [],
  );
  if (texts.length !== parts.length || texts.length === 0) return undefined;
  return texts.length === 1 || reading.isExact ? texts : undefined;
}

function listAnswers(body: ts.Block): ts.Expression[] {
  const answers: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) answers.push(node.expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return answers;
}

function listValues(table: ts.ObjectLiteralExpression): ts.Expression[] {
  return table.properties.flatMap((member) => (ts.isPropertyAssignment(member) ? [member.initializer] : []));
}

/** A name for what only a run knows. */
function nameHole(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return `{${node.text}}`;
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'length' ? '{count}' : `{${node.name.text}}`;
  }
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    if (ts.isPropertyAccessExpression(expression)) return nameHole(expression.expression);
    return node.arguments[0] ? nameHole(node.arguments[0]) : `{${expression.getText()}}`;
  }
  if (ts.isBinaryExpression(node)) return nameHole(node.left);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) return nameHole(node.expression);
  if (ts.isElementAccessExpression(node) || ts.isAwaitExpression(node)) return nameHole(node.expression);
  if (ts.isArrayLiteralExpression(node) && node.elements[0]) return nameHole(node.elements[0]);
  if (ts.isSpreadElement(node)) return nameHole(node.expression);
  return '{…}';
}

function isNumber(node: ts.Expression, reading: Reading): boolean {
  return (reading.program.checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike) !== 0;
}

function multiply(left: readonly string[], right: readonly string[]): string[] {
  return unique(left.flatMap((start) => right.map((end) => start + end))).slice(0, MOST);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
