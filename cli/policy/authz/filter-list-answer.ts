import { findSpan } from '../../proxy/json/find-spans.ts';
import { listElements } from '../../proxy/json/list-elements.ts';
import { splice } from '../../proxy/json/splice.ts';
import type { Judge, Question } from './authorizer.ts';
import { readAttributes } from './tool-annotations.ts';

interface ListKind {
  readonly member: string;
  readonly key: string;
  readonly action: string;
  readonly type: 'Tool' | 'Prompt' | 'Resource';
}

const KINDS: readonly ListKind[] = [
  { member: 'tools', key: 'name', action: 'call_tool', type: 'Tool' },
  { member: 'prompts', key: 'name', action: 'get_prompt', type: 'Prompt' },
  { member: 'resources', key: 'uri', action: 'read_resource', type: 'Resource' },
  { member: 'resourceTemplates', key: 'uriTemplate', action: 'read_resource', type: 'Resource' },
];

/**
 * Leaves out of a list what the caller may not use (contract 5): each item is judged by the action that would use it,
 * without arguments. What stays keeps its bytes; an answer that is no list passes untouched.
 */
export function filterListAnswer(message: Buffer, judge: Judge): Buffer {
  for (const kind of KINDS) {
    const list = findSpan(message, ['result', kind.member]);
    if (list === undefined) continue;
    const elements = listElements(message, list);
    const kept = elements.filter((span) => isAllowed(message.subarray(span.start, span.end), kind, judge));
    if (kept.length === elements.length) return message;
    const text = kept.map((span) => message.subarray(span.start, span.end).toString()).join(',');
    return splice(message, [{ ...list, text: `[${text}]` }]);
  }
  return message;
}

function isAllowed(item: Buffer, kind: ListKind, judge: Judge): boolean {
  const question = readQuestion(item, kind);
  return question !== undefined && judge(question).allowed;
}

/** An item without a name cannot be judged, so nobody may see it. */
function readQuestion(item: Buffer, { key, action, type }: ListKind): Question | undefined {
  const parsed: unknown = parse(item);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(parsed));
  const id = members.get(key);
  if (typeof id !== 'string') return undefined;
  const annotations = members.get('annotations');
  const attributes =
    typeof annotations === 'object' && annotations !== null ? readAttributes({ ...annotations }) : {};
  return { action, type, id, attributes, args: undefined };
}

function parse(item: Buffer): unknown {
  try {
    return JSON.parse(item.toString());
  } catch {
    return undefined;
  }
}
