import ts from 'typescript';
import type { Program } from '../source-code/load-program.ts';
import { cleanComment } from '../source-code/read-comment.ts';

/** What one class of a command's chain of classes declares. */
export interface DeclaredOptions {
  /** What the class says of its options. */
  readonly comment: string;
  /** The spellings of its flags. */
  readonly flags: readonly string[];
  /** What the words that are no flags are called, when there may be several. */
  readonly rest: string | undefined;
}

/** The classes a command is made of, the innermost first. */
export function readClassChain(program: Program, className: string): DeclaredOptions[] {
  const chain: DeclaredOptions[] = [];
  for (let name: string | undefined = className; name !== undefined; ) {
    const found: ts.ClassDeclaration | undefined = findClass(program, name);
    if (!found) break;
    const calls = found.members.flatMap((member) =>
      ts.isPropertyDeclaration(member) && member.initializer && ts.isCallExpression(member.initializer)
        ? [member.initializer]
        : [],
    );
    chain.push({
      comment: commentOf(found),
      flags: calls.flatMap(flagsOf),
      rest: calls.map(restNameOf).find((rest) => rest !== undefined),
    });
    name = found.heritageClauses?.[0]?.types[0]?.expression.getText();
  }
  return chain;
}

function findClass(program: Program, name: string): ts.ClassDeclaration | undefined {
  for (const file of program.files) {
    const found = file.statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === name);
    if (found && ts.isClassDeclaration(found)) return found;
  }
  return undefined;
}

function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  return cleanComment(ts.getTextOfJSDocComment(comment) ?? '');
}

function flagsOf(call: ts.CallExpression): string[] {
  const [names] = call.arguments;
  return names && ts.isStringLiteral(names) && names.text.startsWith('-') ? names.text.split(',') : [];
}

function restNameOf(call: ts.CallExpression): string | undefined {
  if (call.expression.getText() !== 'Option.Rest') return undefined;
  return /name: '([^']+)'/.exec(call.arguments[0]?.getText() ?? '')?.[1];
}
