import { z } from 'zod';
import type { ConfigPath } from './config-tree.ts';

export type Schema = z.core.$ZodType;

/** A schema without what is wrapped around it: optional, default, nullable, transformation. */
export function unwrapSchema(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  ) {
    return unwrapSchema(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrapSchema(schema.in) : schema;
}

/** The alternatives of a schema: the members of a union, else the schema alone. */
export function listAlternatives(schema: Schema): Schema[] {
  const bare = unwrapSchema(schema);
  return bare instanceof z.ZodUnion ? bare.options.flatMap(listAlternatives) : [bare];
}

/** What a single value may be. */
export interface ScalarTypes {
  readonly text: boolean;
  readonly number: boolean;
  readonly boolean: boolean;
}

/** The kinds of single value a schema takes; undefined when it takes only maps and lists. */
export function readScalarTypes(schema: Schema): ScalarTypes | undefined {
  const kinds = listAlternatives(schema);
  const number = kinds.some((kind) => kind instanceof z.ZodNumber);
  const boolean = kinds.some((kind) => kind instanceof z.ZodBoolean);
  const text = kinds.some(
    (kind) => kind instanceof z.ZodString || kind instanceof z.ZodStringFormat || kind instanceof z.ZodEnum,
  );
  return text || number || boolean ? { text, number, boolean } : undefined;
}

/** The schema one step below; undefined when there is none. */
export function stepIntoSchema(schema: Schema, step: string | number): Schema | undefined {
  for (const kind of listAlternatives(schema)) {
    if (kind instanceof z.ZodObject && Object.hasOwn(kind.shape, step)) return kind.shape[step];
    if (kind instanceof z.ZodRecord && typeof step === 'string') return kind.valueType;
    if (kind instanceof z.ZodArray && typeof step === 'number') return kind.element;
  }
  return undefined;
}

/** The keys that are allowed in the map at a path; empty when any are. */
export function listAllowedKeys(root: Schema, path: ConfigPath): string[] {
  let schema: Schema | undefined = root;
  for (const step of path) schema = schema && stepIntoSchema(schema, step);
  return schema
    ? listAlternatives(schema).flatMap((kind) => (kind instanceof z.ZodObject ? Object.keys(kind.shape) : []))
    : [];
}
