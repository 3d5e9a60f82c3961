import type { ConfigNode, ScalarValue } from './config-tree.ts';
import { readScalarTypes, type Schema, stepIntoSchema } from './inspect-schema.ts';

/**
 * Turns text that came from the environment (an expanded `${NAME}` or a `BERTH_` variable) into the number or boolean
 * its place in the schema takes. Text that is neither stays text, for the schema to refuse.
 */
export function coerceScalars(node: ConfigNode, schema: Schema | undefined): ConfigNode {
  if (schema === undefined) return node;
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      node.items[index] = coerceScalars(item, stepIntoSchema(schema, index));
    }
    return node;
  }
  if (node.kind === 'map') {
    for (const [key, entry] of node.entries)
      entry.node = coerceScalars(entry.node, stepIntoSchema(schema, key));
    return node;
  }
  const fromEnvironment = node.expanded === true || node.setBy !== undefined;
  if (!fromEnvironment || typeof node.value !== 'string') return node;
  return { ...node, value: coerceText(node.value, schema) };
}

function coerceText(text: string, schema: Schema): ScalarValue {
  const types = readScalarTypes(schema);
  if (types === undefined || types.text) return text;
  const trimmed = text.trim();
  if (types.boolean && /^(true|1)$/i.test(trimmed)) return true;
  if (types.boolean && /^(false|0)$/i.test(trimmed)) return false;
  if (types.number && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed);
  return text;
}
