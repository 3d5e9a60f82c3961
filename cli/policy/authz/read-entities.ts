import { z } from 'zod';
import { loadCedar } from './load-cedar.ts';
import type { CedarValue, Entity } from './load-policies.ts';

const id = z.strictObject({ type: z.string().min(1), id: z.string() });
/** `{type, id}`, also in the long form of Cedar's JSON. */
const uid = z.union([id, z.strictObject({ __entity: id }).transform((long) => long.__entity)]);
const value: z.ZodType<CedarValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(value), z.record(z.string(), value)]),
);
const entitySchema = z.strictObject({
  uid,
  attrs: z.record(z.string(), value).default({}),
  parents: z.array(uid).default([]),
});

/**
 * Reads `cedar.entities_json`.
 * @returns the entities, or in words what is wrong with the text
 */
export async function readEntities(
  text: string | undefined,
): Promise<readonly Entity[] | { readonly fault: string }> {
  if (text === undefined || text.trim() === '') return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'is not JSON' };
  }
  const parsed = z.array(entitySchema).safeParse(json);
  if (parsed.success) {
    // What the engine cannot take (circles, two of the same id) would otherwise deny every request later.
    const { checkParseEntities } = await loadCedar();
    const checked = checkParseEntities({ entities: parsed.data });
    if (checked.type === 'success') return parsed.data;
    return { fault: `cannot be used: ${checked.errors[0]?.message ?? 'unknown reason'}` };
  }
  const [issue] = parsed.error.issues;
  return { fault: `is no list of Cedar entities: ${issue?.path.join('.') || 'the whole'} ${issue?.message}` };
}
