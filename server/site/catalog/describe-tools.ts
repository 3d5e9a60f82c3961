import { PUBLISHER_META } from '../../../sources/model/meta-keys.ts';
import type { PlainObject } from '../../../sources/model/plain-object.ts';
import { readPublisherExtension } from '../../../sources/model/publisher-extension.ts';
import type { ToolLine } from '../catalog-reader.ts';
import { asObject, objectsIn, textOf } from './read-item.ts';

/** What MCP lets a tool declare of itself. */
const HINTS: readonly (readonly [member: string, hint: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'open world'],
];

/** The tools publishers tell of: those with a definition in its words, the others by name. */
export function describeTools(meta: PlainObject): readonly ToolLine[] {
  const lines = new Map<string, ToolLine>();
  for (const vendor of Object.values(asObject(meta[PUBLISHER_META])))
    for (const block of Object.values(asObject(vendor)))
      for (const tool of objectsIn(asObject(block).tool_definitions)) {
        const name = textOf(tool.name)?.trim();
        if (name === undefined || lines.has(name)) continue;
        lines.set(name, { name, description: textOf(tool.description), hints: listHints(tool.annotations) });
      }
  for (const name of readPublisherExtension(meta).tools)
    if (!lines.has(name)) lines.set(name, { name, description: undefined, hints: [] });
  return [...lines.values()];
}

function listHints(annotations: unknown): readonly string[] {
  const declared = asObject(annotations);
  return HINTS.filter(([member]) => declared[member] === true).map(([, hint]) => hint);
}
