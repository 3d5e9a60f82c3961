import { anchorOf, renderCode } from '../markdown/escape-text.ts';
import { type JsonSchema, nameOfReference } from './document.ts';

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

/** What a value may be, in words, with links to the shapes that have a name. */
export function describeType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return linkShape(nameOfReference(schema.$ref));
  if (schema.enum) return schema.enum.map((value) => renderCode(String(value))).join(', ');
  if (schema.const !== undefined) return renderCode(String(schema.const));
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(describeType))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? describeType(schema.items) : 'anything'}`;
  if (isMap(schema)) return `map of ${describeType(schema.additionalProperties)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'anything';
  const words = types.map((type) => WORDS[type] ?? type).join(' or ');
  return schema.format === undefined ? words : `${words} (${schema.format})`;
}

/** Type and bounds of a value, on lines below each other. */
export function describeValue(schema: JsonSchema): string {
  const bounds = describeBounds(schema);
  return bounds === '' ? describeType(schema) : `${describeType(schema)}<br>${bounds}`;
}

/** Bounds in words; empty when there are none. */
function describeBounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    describeRange(minimum, maximum, ''),
    describeRange(minLength === 0 ? undefined : minLength, maxLength, ' characters').replace(
      /^at least 1 characters$/,
      'not empty',
    ),
    describeRange(minItems, maxItems, ' elements'),
    schema.pattern === undefined ? '' : `pattern ${renderCode(schema.pattern)}`,
    schema.default === undefined ? '' : `default ${renderCode(String(schema.default))}`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** A link to where the shape of a name is described. */
export function linkShape(name: string): string {
  return `[${name}](/docs/reference/http-api/shapes/#${anchorOf(name)})`;
}

function isMap(schema: JsonSchema): schema is JsonSchema & { additionalProperties: JsonSchema } {
  const { additionalProperties: rest } = schema;
  return !schema.properties && typeof rest === 'object' && Object.keys(rest).length > 0;
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  const limit = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  if (from !== undefined && limit !== undefined) return `${from} to ${limit}${unit}`;
  if (limit !== undefined) return `at most ${limit}${unit}`;
  return from === undefined || Math.abs(from) >= Number.MAX_SAFE_INTEGER ? '' : `at least ${from}${unit}`;
}
