import { z } from 'zod';
import { duration, formatDuration } from '../../../sources/config/duration.ts';
import { listAlternatives, type Schema, unwrapSchema } from '../../../sources/config/inspect-schema.ts';
import { claimsSchema } from '../../../sources/model/claims.ts';

/** A map of the configuration with its keys. */
export interface Block {
  /** Such as `sources[].git`; empty for the file itself. */
  readonly path: string;
  readonly description: string;
  readonly keys: readonly Key[];
}

/** One key of the configuration. */
export interface Key {
  readonly name: string;
  readonly path: string;
  /** In words, such as `text` or `list of text`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** As it would be written in the file. */
  readonly defaultValue: string | undefined;
  /** Allowed values and bounds in words. */
  readonly bounds: string;
  readonly description: string;
  /** The block its value is made of. */
  readonly block: string | undefined;
  /** Whether an environment variable can set it. */
  readonly isScalar: boolean;
}

/** Every block of a schema in the order of the schema, the outer ones first. */
export function readBlocks(schema: Schema, path = '', description = ''): Block[] {
  const bare = unwrapSchema(schema);
  if (!(bare instanceof z.ZodObject)) return [];
  const entries = Object.entries(bare.shape);
  const keys = entries.map(([name, value]) => readKey(name, path, value));
  const below = entries.flatMap(([name, value], index) => {
    const block = keys[index]?.block;
    return block === undefined ? [] : readBlocks(innermost(value), block, keys[index]?.description ?? name);
  });
  return [{ path, description, keys }, ...below];
}

function readKey(name: string, parent: string, schema: Schema): Key {
  const path = parent === '' ? name : `${parent}.${name}`;
  const bare = unwrapSchema(schema);
  const inner = innermost(schema);
  const isBlock = inner instanceof z.ZodObject && Object.keys(inner.shape).length > 0;
  const isScalar = isDuration(schema) || listAlternatives(schema).every(isScalarSchema);
  return {
    name,
    path,
    type: nameType(schema),
    isRequired: !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault),
    defaultValue: readDefault(schema),
    bounds: describeBounds(isDuration(schema) ? undefined : bare),
    description: readDescription(schema),
    block: isBlock ? `${path}${bare instanceof z.ZodArray ? '[]' : ''}` : undefined,
    isScalar,
  };
}

/** The element of a list, else the schema itself. */
function innermost(schema: Schema): Schema {
  const bare = unwrapSchema(schema);
  return bare instanceof z.ZodArray ? innermost(bare.element) : bare;
}

/** What a key says about itself; empty when it says nothing. */
function readDescription(schema: Schema): string {
  for (let at: Schema | undefined = schema; at !== undefined; at = unwrapOnce(at)) {
    const text = z.globalRegistry.get(at)?.description;
    if (text !== undefined) return text;
  }
  return '';
}

function readDefault(schema: Schema): string | undefined {
  if (!(schema instanceof z.ZodDefault)) return undefined;
  const value: unknown = schema.def.defaultValue;
  if (typeof value === 'number' && isDuration(schema)) return formatDuration(value);
  const inner = unwrapSchema(schema);
  // What a block is without being written follows from its keys.
  if (inner instanceof z.ZodObject) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function nameType(schema: Schema): string {
  if (isDuration(schema)) return 'duration';
  const bare = unwrapSchema(schema);
  if (bare instanceof z.ZodUnion) return [...new Set(bare.options.map(nameType))].join(' or ');
  if (bare instanceof z.ZodArray) return `list of ${nameType(bare.element)}`;
  if (bare instanceof z.ZodRecord) return bare.valueType === claimsSchema.valueType ? 'claims' : 'map';
  if (bare instanceof z.ZodObject) return 'map';
  if (bare instanceof z.ZodBoolean) return 'true or false';
  if (bare instanceof z.ZodNumber) return bare.isInt ? 'whole number' : 'number';
  if (bare instanceof z.ZodEnum) return 'word';
  if (bare instanceof z.ZodURL) return 'URL';
  return bare instanceof z.ZodString ? 'text' : 'anything';
}

function describeBounds(bare: Schema | undefined): string {
  if (bare instanceof z.ZodEnum) return bare.options.map((option) => `\`${String(option)}\``).join(', ');
  if (bare instanceof z.ZodNumber) {
    const { minValue: from, maxValue: to } = bare;
    const isBound = (value: number | null) => value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    if (isBound(from) && isBound(to)) return `${from} to ${to}`;
    if (isBound(from)) return `at least ${from}`;
    return isBound(to) ? `at most ${to}` : '';
  }
  if (bare instanceof z.ZodArray) {
    const isFilled = bare.def.checks?.some((check) => check._zod.def.check === 'min_length') ?? false;
    return isFilled ? 'at least one' : describeBounds(unwrapSchema(bare.element));
  }
  if (bare instanceof z.ZodString && bare.def.checks !== undefined) return describePattern(bare);
  return '';
}

function describePattern(schema: z.ZodString): string {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const pattern = json.pattern ?? '';
  return /^\^\\?\//.test(pattern) ? 'begins with `/`' : '';
}

function isScalarSchema(kind: Schema): boolean {
  return (
    kind instanceof z.ZodString ||
    kind instanceof z.ZodStringFormat ||
    kind instanceof z.ZodNumber ||
    kind instanceof z.ZodBoolean ||
    kind instanceof z.ZodEnum
  );
}

function isDuration(schema: Schema): boolean {
  for (let at: Schema | undefined = schema; at !== undefined; at = unwrapOnce(at)) {
    if (at instanceof z.ZodPipe) return at.def.in === duration.def.in;
  }
  return false;
}

function unwrapOnce(schema: Schema): Schema | undefined {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return isWrapped ? schema.unwrap() : undefined;
}
