import { z } from 'zod';

const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  value: z.string().optional(),
  choices: z.array(z.string()).optional(),
};

/** Values for the `{name}` parts of a value or a URL. */
export const variablesSchema = z.record(z.string(), z.looseObject(input));

const inputWithVariables = { ...input, variables: variablesSchema.optional() };

/** A header or an environment variable. */
export const keyValueSchema = z.looseObject({
  ...inputWithVariables,
  name: z.string().min(1, 'must have at least 1 character'),
});

const positional = z
  .looseObject({
    ...inputWithVariables,
    type: z.literal('positional'),
    valueHint: z.string().optional(),
    isRepeated: z.boolean().optional(),
  })
  .refine(
    (argument) => argument.value !== undefined || argument.valueHint !== undefined,
    'needs `value` or `valueHint`',
  );

const named = z.looseObject({
  ...inputWithVariables,
  type: z.literal('named'),
  name: z.string().min(1, 'must have at least 1 character'),
  isRepeated: z.boolean().optional(),
});

/** A command-line argument, positional or named. */
export const argumentSchema = z.discriminatedUnion('type', [positional, named], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be positional or named' : undefined),
});
