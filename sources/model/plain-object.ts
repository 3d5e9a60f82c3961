/** An object as it came out of JSON or YAML. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members: no array, no null. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without the named members. */
export function omitMembers(object: PlainObject, names: readonly string[]): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
