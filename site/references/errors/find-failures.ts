import ts from 'typescript';
import { evaluateText, readProperty, type Scope } from '../source-code/evaluate-text.ts';
import { expandScopes, findOwner } from '../source-code/expand-scopes.ts';
import type { Program } from '../source-code/load-program.ts';
import { cleanComment } from '../source-code/read-comment.ts';
import { type Construction, findConstructions } from './find-constructions.ts';

/** One thing that can go wrong, as the code says it; `{name}` stands for what only a run knows. */
export interface Failure {
  readonly code: string;
  /** The HTTP status of an `HttpError`. */
  readonly status: number | undefined;
  readonly className: string;
  /** Empty when the words come from elsewhere. */
  readonly message: string;
  /** What the code around says of itself, where there is no message. */
  readonly about: string;
  readonly fix: string;
  /** Where it is made, from the root of the repository. */
  readonly file: string;
}

/** A code that is another one with a different beginning: `source_timeout` for `net_timeout`. */
interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly className: string;
}

const CODE = /^[a-z][a-z0-9_]*$/;
/** A text of which nothing is known. */
const HOLE = /^\{[^{}]*\}$/;
/** What is said in more ways than these is said in general. */
const MOST_VARIANTS = 8;

/**
 * Everything that is thrown with a code of its own in the rooms, from their code.
 * @throws TypeError for a code that cannot be read from the code: the reference would be incomplete
 */
export function findFailures(program: Program): Failure[] {
  const renamed: Renamed[] = [];
  const failures = findConstructions(program).flatMap((construction) => {
    const rename = readRename(construction, program);
    if (rename) renamed.push(rename);
    return rename || isPassedOn(construction.code, program) ? [] : readFailures(construction, program);
  });
  return [...failures, ...renamed.flatMap((rename) => applyRename(rename, failures))];
}

function readFailures(construction: Construction, program: Program): Failure[] {
  const { code, status, message, options } = construction;
  const literal = options && ts.isObjectLiteralExpression(options) ? options : undefined;
  const fix = literal && readProperty(literal, 'fix');
  const parts = [code, status, message, fix ?? options].filter((part) => part !== undefined);
  const found = distinct(
    expandScopes(parts, program).flatMap((scope) => readInScope(construction, fix, scope, program)),
  );
  const plain = found.length > MOST_VARIANTS ? readInScope(construction, fix, undefined, program) : found;
  const isEnough = plain.every(
    ({ code, status, message }) => CODE.test(code) && !Number.isNaN(status ?? 0) && !HOLE.test(message),
  );
  const failures = (isEnough ? plain : found).filter(({ code }) => !/^\{.*[cC]ode\}$/.test(code));
  for (const { code, status, file } of failures) {
    if (CODE.test(code) && !Number.isNaN(status ?? 0)) continue;
    throw new TypeError(
      `${file}: code or status of ${construction.node.getText()} cannot be read (${code}, ${status})`,
    );
  }
  const comment = describeOwner(construction.node);
  return failures.map((failure) =>
    HOLE.test(failure.message) ? { ...failure, message: '', about: comment ?? '' } : failure,
  );
}

function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values()];
}

function readInScope(
  { code, status, message, options, className, node }: Construction,
  fix: ts.Expression | undefined,
  scope: Scope | undefined,
  program: Program,
): Failure[] {
  const read = (part: ts.Expression | undefined, isExact = false) =>
    part ? evaluateText(part, scope, { program, isExact }) : [''];
  const fixes = (fix ? read(fix) : readOptionsFix(options, scope, program)).map((text) =>
    HOLE.test(text) ? '' : text,
  );
  const statuses = status ? read(status, true).map(Number) : [undefined];
  const file = program.fileOf(node);
  return read(code, true).flatMap((code) =>
    read(message).flatMap((message) =>
      statuses.flatMap((status) =>
        fixes.map((fix) => ({
          code,
          status,
          className,
          message: onOneLine(message),
          about: '',
          fix: onOneLine(fix),
          file,
        })),
      ),
    ),
  );
}

/** The first sentence of the comment of the function around, for messages that come from elsewhere. */
function describeOwner(node: ts.Node): string | undefined {
  const owner = ts.findAncestor(
    node,
    (at) =>
      (ts.isFunctionDeclaration(at) || ts.isClassDeclaration(at)) &&
      ts.getJSDocCommentsAndTags(at).length > 0,
  );
  const comment =
    owner && ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(owner).find(ts.isJSDoc)?.comment);
  const sentence = comment && /^[^.]*(\.(?!\s)[^.]*)*\.?/s.exec(comment)?.[0];
  return sentence && cleanComment(sentence);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Options that are a parameter: what to do is said by the caller. */
function readOptionsFix(
  options: ts.Expression | undefined,
  scope: Scope | undefined,
  program: Program,
): string[] {
  if (!options || !ts.isIdentifier(options)) return [''];
  const symbol = program.checker.getSymbolAtLocation(options);
  for (let at = scope; at; at = at.next) {
    if (at.symbol !== symbol || !ts.isObjectLiteralExpression(at.value)) continue;
    const fix = readProperty(at.value, 'fix');
    return fix ? evaluateText(fix, at.outer, { program, isExact: false }) : [''];
  }
  return [''];
}

/** Whether a code is that of an error which was made elsewhere. */
function isPassedOn(code: ts.Expression, program: Program): boolean {
  if (ts.isPropertyAccessExpression(code) && code.name.text === 'code') {
    const type = program.checker.getTypeAtLocation(code.expression);
    const name = type.getSymbol()?.name ?? '';
    return (
      name.endsWith('Error') || name.endsWith('Failure') || code.expression.kind === ts.SyntaxKind.ThisKeyword
    );
  }
  if (!ts.isIdentifier(code) || findOwner(code, program)) return false;
  const declaration = program.checker.getSymbolAtLocation(code)?.valueDeclaration;
  return declaration !== undefined && ts.isBindingElement(declaration);
}

/** Reads `prefix_${error.code.slice(…)}` behind `error.code.startsWith('other_')`. */
function readRename({ code, node, className }: Construction, program: Program): Renamed | undefined {
  const span = ts.isTemplateExpression(code) ? code.templateSpans[0] : undefined;
  if (!ts.isTemplateExpression(code) || !span || !/\.code\.slice\(/.test(span.expression.getText()))
    return undefined;
  const around = ts.findAncestor(node, ts.isFunctionLike);
  const from = /\.code\.startsWith\('(\w+)'\)/.exec(around?.getText() ?? '')?.[1];
  return from === undefined ? undefined : { from, to: code.head.text, file: program.fileOf(node), className };
}

function applyRename({ from, to, file, className }: Renamed, failures: readonly Failure[]): Failure[] {
  return failures
    .filter(({ code }) => code.startsWith(from))
    .map((failure) => ({ ...failure, code: to + failure.code.slice(from.length), file, className }));
}
