import ts from 'typescript';
import { groupBy } from '../group-by.ts';
import { escapeText, renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import type { Program } from '../source-code/load-program.ts';
import { findProxyAnswers, type ProxyAnswer } from './find-proxy-answers.ts';

/** Where the codes have their names. */
const NAMED = ['cli/proxy/rpc-answer.ts', 'cli/proxy/stdio/codes.ts'];

/** The JSON-RPC errors that the proxy of a workload answers MCP clients with. */
export function renderProxyAnswersPage(program: Program): Page {
  const names = readNames(program);
  const byCode = groupBy(findProxyAnswers(program), ({ code }) => String(code)).reverse();
  return {
    path: 'error-codes/proxy.md',
    title: 'Answers of the proxy',
    description:
      'Every JSON-RPC error that the proxy in front of a server answers by itself, with its HTTP status.',
    order: 7,
    blocks: [
      'JSON-RPC errors that an MCP client gets from the proxy of a workload, not from the server behind it. Without an HTTP status the error stands in a stream that is open, or answers with 200.',
      '`{…}` stands for what is only known when it happens.',
      ...byCode.flatMap(([code, answers]) => [
        `## ${renderCode(code)}`,
        names.has(code) ? `Called *${[...(names.get(code) ?? [])].join(', ')}*.` : '',
        renderAnswers(answers),
      ]),
    ],
  };
}

function renderAnswers(answers: readonly ProxyAnswer[]): string {
  return renderTable(
    ['What is said', 'HTTP', 'In audit and metrics'],
    groupBy(answers, ({ message }) => message).map(([message, said]) => [
      escapeText(message),
      [...new Set(said.flatMap(({ status }) => status ?? []))].join(', '),
      [...new Set(said.flatMap(({ reason }) => (reason === '' ? [] : [renderCode(reason)])))].join(', '),
    ]),
  );
}

/** The words of each code, such as `session not found`. */
function readNames(program: Program): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && /^-\d+$/.test(node.initializer.getText())) {
      const code = node.initializer.getText();
      const words = node.name.getText().replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      names.set(code, (names.get(code) ?? new Set()).add(words));
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.files) if (NAMED.includes(program.fileOf(file))) visit(file);
  return names;
}
