/** An object in which what is absent has no member at all. */
export type WithoutAbsent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves the members out that are undefined. */
export function withoutAbsent<T extends object>(object: T): WithoutAbsent<T>;
export function withoutAbsent(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
