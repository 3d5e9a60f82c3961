import { findSpan, findSpans, type Span } from '../json/find-spans.ts';
import { listElements } from '../json/list-elements.ts';
import { type Edit, splice } from '../json/splice.ts';
import type { ToolNames } from './tool-names.ts';

/**
 * Leaves out of an answer to `tools/list` what clients do not see, and gives the rest its new names and descriptions.
 * Every other byte stays.
 *
 * @returns the same buffer when nothing changes, as for messages that are no such answer
 */
export function filterToolList(message: Buffer, names: ToolNames): Buffer {
  const list = findSpan(message, ['result', 'tools']);
  if (list === undefined) return message;
  const elements = listElements(message, list);
  const edits: Edit[] = [];
  let keepsOne = false;
  for (const [at, element] of elements.entries()) {
    const change = changeTool(message, element, names);
    if (change !== undefined) {
      keepsOne = true;
      edits.push(...change);
      continue;
    }
    const previous = elements[at - 1];
    const next = elements[at + 1];
    // With it goes one comma: the one before it, or behind it for those at the beginning.
    if (keepsOne && previous) edits.push({ start: previous.end, end: element.end, text: '' });
    else edits.push({ start: element.start, end: next?.start ?? element.end, text: '' });
  }
  return splice(message, edits);
}

/** @returns undefined when the tool is left out */
function changeTool(message: Buffer, element: Span, names: ToolNames): Edit[] | undefined {
  const [nameSpan, descriptionSpan] = findSpans(message, [['name'], ['description']], element);
  const actual = nameSpan && readString(message, nameSpan);
  if (nameSpan === undefined || actual === undefined) return undefined;
  const shown = names.show(actual);
  if (shown === undefined) return undefined;
  const edits: Edit[] = [];
  if (shown.name !== actual) edits.push({ ...nameSpan, text: JSON.stringify(shown.name) });
  if (shown.description === undefined) return edits;
  const text = JSON.stringify(shown.description);
  if (descriptionSpan) edits.push({ ...descriptionSpan, text });
  else edits.push({ start: nameSpan.end, end: nameSpan.end, text: `,"description":${text}` });
  return edits;
}

export function readString(bytes: Buffer, { start, end }: Span): string | undefined {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
  return typeof value === 'string' ? value : undefined;
}
