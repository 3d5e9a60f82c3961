import ts from 'typescript';
import { evaluateText, readProperty } from '../source-code/evaluate-text.ts';
import { expandScopes } from '../source-code/expand-scopes.ts';
import type { Program } from '../source-code/load-program.ts';

/** A JSON-RPC error that the proxy of a workload answers with by itself. */
export interface ProxyAnswer {
  /** Of JSON-RPC. */
  readonly code: number;
  /** The HTTP status; undefined where the error comes in a stream that is open already. */
  readonly status: number | undefined;
  readonly message: string;
  /** What metrics and audit call it, where the same place says so. */
  readonly reason: string;
}

const ROOMS = /^cli\/(proxy|policy)\//;
const NUMBER = /^-?\d+$/;
/** A text of which nothing is known. */
const HOLE = /^\{[^{}]*\}$/;

/** The pieces of an answer as the code writes them. */
interface Pieces {
  readonly code: ts.Expression;
  readonly message: ts.Expression;
  readonly status: ts.Expression | undefined;
  readonly reason: ts.Expression | undefined;
}

/** Every JSON-RPC error written in the proxy, by code, status and message. */
export function findProxyAnswers(program: Program): ProxyAnswer[] {
  const found: ProxyAnswer[] = [];
  const visit = (node: ts.Node): void => {
    const pieces = ts.isObjectLiteralExpression(node) ? readLiteral(node) : readCall(node);
    if (pieces) found.push(...readAnswers(pieces, program));
    ts.forEachChild(node, visit);
  };
  for (const file of program.files) if (ROOMS.test(program.fileOf(file))) visit(file);
  const distinct = new Map(found.map((answer) => [JSON.stringify(answer), answer]));
  return [...distinct.values()].sort(
    (a, b) => a.code - b.code || (a.status ?? 0) - (b.status ?? 0) || (a.message < b.message ? -1 : 1),
  );
}

function readLiteral(literal: ts.ObjectLiteralExpression): Pieces | undefined {
  const code = readProperty(literal, 'code');
  const message = readProperty(literal, 'message');
  const status = readProperty(literal, 'status') ?? findStatus(literal);
  return code && message ? { code, message, status, reason: readProperty(literal, 'reason') } : undefined;
}

/** A call such as `formatError(id, CODES.internal, 'The client went away.')`: the message follows the code. */
function readCall(node: ts.Node): Pieces | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const index = node.arguments.findIndex((given) => /^(CODES|RPC)\.\w+$/.test(given.getText()));
  const [code, message] = index < 0 ? [] : node.arguments.slice(index);
  const status = node.arguments.find((given) => /^[45]\d\d$/.test(given.getText()));
  return code && message ? { code, message, status, reason: undefined } : undefined;
}

function readAnswers({ code, message, status, reason }: Pieces, program: Program): ProxyAnswer[] {
  const parts = [code, message, status, reason].filter((part) => part !== undefined);
  return expandScopes(parts, program).flatMap((scope) => {
    const read = (part: ts.Expression | undefined, isExact = false) =>
      part ? evaluateText(part, scope, { program, isExact }) : [''];
    const codes = read(code, true).filter((text) => NUMBER.test(text));
    const statuses = read(status, true).map((text) => (NUMBER.test(text) ? Number(text) : undefined));
    const messages = read(message).filter((text) => !HOLE.test(text));
    const reasons = read(reason).map((text) => (HOLE.test(text) ? '' : text));
    return codes.flatMap((code) =>
      statuses.flatMap((status) =>
        messages.flatMap((message) =>
          reasons.map((reason) => ({ code: Number(code), status, message, reason })),
        ),
      ),
    );
  });
}

/** The status in `answerRpcError(response, 400, { code, message })`, where the literal may have a name first. */
function findStatus(literal: ts.ObjectLiteralExpression): ts.Expression | undefined {
  const named = ts.isVariableDeclaration(literal.parent) ? literal.parent.name.getText() : undefined;
  const around = ts.findAncestor(literal, (node) => ts.isBlock(node) || ts.isSourceFile(node));
  let status: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'answerRpcError') {
      const [, given, error] = node.arguments;
      if (error === literal || (named !== undefined && error?.getText() === named)) status = given;
    }
    ts.forEachChild(node, visit);
  };
  if (around) visit(around);
  return status;
}
