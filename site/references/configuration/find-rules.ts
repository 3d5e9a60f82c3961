import { basename } from 'node:path';
import ts from 'typescript';
import { evaluateText, readProperty } from '../source-code/evaluate-text.ts';
import { expandScopes } from '../source-code/expand-scopes.ts';
import type { Program } from '../source-code/load-program.ts';

/** A rule that spans keys, by what is said to whoever breaks it. */
export interface Rule {
  /** The part of the configuration it is about, such as `sources`. */
  readonly subject: string;
  readonly message: string;
  readonly fix: string;
}

/** Every finding the checks of `sources/config/check-*.ts` can report. */
export function findRules(program: Program): Rule[] {
  const files = program.files.filter((file) =>
    /^sources\/config\/(check-|rule\.)/.test(program.fileOf(file)),
  );
  const rules = files.flatMap((file) => {
    const subject = basename(file.fileName, '.ts').replace('check-', '').replace('rule', 'names');
    return findFindings(file).flatMap((literal) => readFinding(literal, subject, program));
  });
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function findFindings(file: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && readProperty(node, 'path') && readProperty(node, 'message'))
      found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function readFinding(literal: ts.ObjectLiteralExpression, subject: string, program: Program): Rule[] {
  const message = readProperty(literal, 'message');
  const fix = readProperty(literal, 'fix');
  if (!message) return [];
  return expandScopes(fix ? [message, fix] : [message], program).flatMap((scope) => {
    const read = (part: ts.Expression) => evaluateText(part, scope, { program, isExact: false });
    const fixes = fix ? read(fix).map((text) => (/^\{[^{}]*\}$/.test(text) ? '' : text)) : [''];
    return read(message).flatMap((message) => fixes.map((fix) => ({ subject, message, fix })));
  });
}
