import { z } from 'zod';
import { keyValueSchema, variablesSchema } from './input-schema.ts';

const PLACEHOLDER = /\{[^{}\s]+\}/g;

/** An http or https URL in which parts may be written `{name}`; the whole base may be one such part. */
const urlTemplate = z
  .string()
  .refine(isUrlTemplate, 'must be an http or https URL; parts may be written {name}');

function isUrlTemplate(text: string): boolean {
  if (/\s/.test(text)) return false;
  if (!/^(?:https?:\/\/.|\{[^{}]+\})/i.test(text)) return false;
  return /^\{/.test(text) || URL.canParse(text.replaceAll(PLACEHOLDER, '1'));
}

const overHttp = {
  url: urlTemplate,
  headers: z.array(keyValueSchema).optional(),
};
const stdio = z.looseObject({ type: z.literal('stdio') });
const streamable = z.looseObject({ type: z.literal('streamable-http'), ...overHttp });
const sse = z.looseObject({ type: z.literal('sse'), ...overHttp });

/** How a package talks once it runs. */
export const localTransportSchema = z.discriminatedUnion('type', [stdio, streamable, sse], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be stdio, streamable-http or sse' : undefined),
});

/** A server that runs elsewhere. */
export const remoteTransportSchema = z.discriminatedUnion(
  'type',
  [
    streamable.extend({ variables: variablesSchema.optional() }),
    sse.extend({ variables: variablesSchema.optional() }),
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? 'must be streamable-http or sse' : undefined) },
);
