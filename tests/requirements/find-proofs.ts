import ts from 'typescript';

/** One `proves(...)` call argument in a test. */
export interface Proof {
  /** The literal id, or undefined when the argument is not a string literal. */
  readonly id: string | undefined;
  /** Where the argument stands: file:line. */
  readonly place: string;
}

/** Modifiers under which vitest does not run a test, or runs it to fail. */
const NEVER_PASSING: ReadonlySet<string> = new Set(['skip', 'todo', 'fails']);
const TEST_FUNCTIONS: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'suite']);

/**
 * Finds the arguments of all `proves(...)` calls of one test file. Calls within `it.skip`, `describe.skip`, `.todo`
 * and `.fails` prove nothing and are left out.
 *
 * @param file name for messages
 * @param text TypeScript source
 */
export function findProofs(file: string, text: string): Proof[] {
  if (!text.includes('proves(')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const proofs: Proof[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      if (isNeverPassing(node.expression)) return;
      if (ts.isIdentifier(node.expression) && node.expression.text === 'proves') {
        for (const argument of node.arguments) proofs.push(describeArgument(source, argument));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return proofs;
}

function describeArgument(source: ts.SourceFile, argument: ts.Expression): Proof {
  const { line } = source.getLineAndCharacterOfPosition(argument.getStart(source));
  return {
    id: ts.isStringLiteralLike(argument) ? argument.text : undefined,
    place: `${source.fileName}:${line + 1}`,
  };
}

/** Reads a callee such as `it.skip`, `test.skip.each(table)` or `describe.todo` from its end to its name. */
function isNeverPassing(callee: ts.Expression): boolean {
  let modified = false;
  let rest = callee;
  for (;;) {
    if (ts.isPropertyAccessExpression(rest)) {
      modified ||= NEVER_PASSING.has(rest.name.text);
      rest = rest.expression;
    } else if (ts.isCallExpression(rest)) {
      rest = rest.expression;
    } else if (ts.isTaggedTemplateExpression(rest)) {
      rest = rest.tag;
    } else {
      return modified && ts.isIdentifier(rest) && TEST_FUNCTIONS.has(rest.text);
    }
  }
}
