import { z } from 'zod';
import { createOpenApi } from '../../../server/openapi/create-openapi.ts';

/** A JSON schema as far as it is shown. */
export interface JsonSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | string[] | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Record<string, JsonSchema> | undefined;
  readonly required?: string[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: JsonSchema[] | undefined;
  readonly oneOf?: JsonSchema[] | undefined;
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly pattern?: string | undefined;
}

const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    items: jsonSchema.optional(),
    anyOf: z.array(jsonSchema).optional(),
    oneOf: z.array(jsonSchema).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    pattern: z.string().optional(),
  }),
);

const media = z.object({
  schema: jsonSchema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown().optional() })).optional(),
});
const content = z.record(z.string(), media).optional();
const header = z.object({ description: z.string(), schema: jsonSchema });
const reference = z.object({ $ref: z.string() });
const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.union([reference, header])).default({}),
  content,
});
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(''),
  schema: jsonSchema,
  example: z.unknown().optional(),
});
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(''),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(reference),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
});
const documentSchema = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), jsonSchema),
    parameters: z.record(z.string(), parameter),
    headers: z.record(z.string(), header),
    responses: z.record(z.string(), response),
  }),
});

export type ApiDocument = z.infer<typeof documentSchema>;
export type ApiOperation = z.infer<typeof operation>;
export type ApiResponse = z.infer<typeof response>;
export type ApiContent = z.infer<typeof content>;

/** The OpenAPI document as the service makes it. */
export function readDocument(): ApiDocument {
  return documentSchema.parse(createOpenApi({ version: '0' }));
}

/** The last part of `#/components/KIND/NAME`. */
export function nameOfReference(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

/** Looks a part of the document up. @throws TypeError when there is none of that name */
export function lookUp<T>(parts: Readonly<Record<string, T>>, reference: string): T {
  const found = parts[nameOfReference(reference)];
  if (found === undefined) throw new TypeError(`the document has no ${reference}`);
  return found;
}
