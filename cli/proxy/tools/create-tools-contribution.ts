import type { Plan } from '../../run/plan.ts';
import { answerCall } from '../answer-call.ts';
import type { AnswerFilter, Contribution, Exchange, Stage } from '../exchange.ts';
import { findSpan, type Span } from '../json/find-spans.ts';
import { listElements } from '../json/list-elements.ts';
import { type Edit, splice } from '../json/splice.ts';
import { matchMcpHeaders } from '../match-mcp-headers.ts';
import { readMcpRequest } from '../read-mcp-request.ts';
import { RPC } from '../rpc-answer.ts';
import { filterToolList, readString } from './filter-tool-list.ts';
import { createToolNames, type ToolNames } from './tool-names.ts';

/**
 * The links that show clients only some tools, and some under other names (contract 5). Behind them the server's own
 * names count: for webhooks, policy and audit as for the server. The second link looks again at what a webhook made of
 * the call.
 *
 * @returns undefined when every tool is shown as it is
 */
export function createToolsContribution({ tools }: Pick<Plan, 'tools'>): Contribution | undefined {
  if (tools.allow === undefined && Object.keys(tools.override ?? {}).length === 0) return undefined;
  const names = createToolNames(tools);
  const filterList: AnswerFilter = (message) => filterToolList(message, names);
  const filterLists = (exchange: Exchange): void => {
    if (!hasMethod(exchange, 'tools/list') || exchange.answerFilters.includes(filterList)) return;
    exchange.answerFilters.push(filterList);
  };
  const check: Stage = async (exchange, next) => {
    filterLists(exchange);
    if (!hasMethod(exchange, 'tools/call') || takeCalls(exchange, names)) await next();
  };
  const checkAgain: Stage = async (exchange, next) => {
    filterLists(exchange);
    const hidden = findHidden(exchange, names);
    if (hidden === undefined) await next();
    else refuse(exchange, hidden);
  };
  return {
    stages: { tools: check, 'tools-again': checkAgain },
    needsMcp: true,
    close: async () => undefined,
  };
}

/** Puts the server's names into calls. @returns false when one of them may not be called, and was refused */
function takeCalls(exchange: Exchange, names: ToolNames): boolean {
  const { mcp } = exchange;
  if (mcp === undefined) return true;
  const edits: Edit[] = [];
  for (const span of findCalls(mcp.body, mcp.isBatch)) {
    const nameSpan = findSpan(mcp.body, ['params', 'name'], span);
    const visible = nameSpan && readString(mcp.body, nameSpan);
    const actual = visible === undefined ? undefined : names.resolve(visible);
    if (nameSpan === undefined || visible === undefined || actual === undefined) {
      refuse(exchange, visible ?? '');
      return false;
    }
    if (actual !== visible) edits.push({ ...nameSpan, text: JSON.stringify(actual) });
  }
  if (edits.length === 0) return true;
  const rewritten = readMcpRequest(splice(mcp.body, edits));
  const saidTheSame = headerNames(exchange) === mcp.target;
  exchange.mcp = rewritten;
  // A header that never fitted the body is left for the server to refuse.
  if (saidTheSame) matchMcpHeaders(exchange);
  return true;
}

/** The first tool of a call, by the server's name, that clients may not call. */
function findHidden({ mcp }: Exchange, names: ToolNames): string | undefined {
  if (mcp === undefined) return undefined;
  const messages: readonly unknown[] = Array.isArray(mcp.message) ? mcp.message : [mcp.message];
  for (const message of messages) {
    if (readMember(message, 'method') !== 'tools/call') continue;
    const name = readMember(readMember(message, 'params'), 'name');
    if (typeof name !== 'string') return '';
    if (names.show(name) === undefined) return name;
  }
  return undefined;
}

function findCalls(body: Buffer, isBatch: boolean): Span[] {
  const whole = { start: 0, end: body.length };
  const messages = isBatch ? listElements(body, whole) : [whole];
  return messages.filter((span) => {
    const method = findSpan(body, ['method'], span);
    return method !== undefined && readString(body, method) === 'tools/call';
  });
}

function hasMethod({ mcp }: Exchange, method: string): boolean {
  if (mcp === undefined) return false;
  if (!Array.isArray(mcp.message)) return mcp.method === method;
  return mcp.message.some((message) => readMember(message, 'method') === method);
}

function refuse(exchange: Exchange, tool: string): void {
  exchange.outcome.refusal = 'tool_not_found';
  answerCall(exchange, { code: RPC.invalidParams, message: `Unknown tool: ${tool.slice(0, 200)}` });
}

function headerNames({ request }: Exchange): string | undefined {
  const value = request.headers['mcp-name'];
  if (typeof value !== 'string') return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
