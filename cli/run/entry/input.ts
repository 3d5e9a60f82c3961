import type { z } from 'zod';
import type { argumentSchema, keyValueSchema, variablesSchema } from '../../../sources/model/input-schema.ts';

/** A value an entry of the registry asks its user for. */
export interface MissingInput {
  /** Name of the variable or header; answers are found by it. */
  readonly name: string;
  readonly kind: 'variable' | 'header' | 'argument';
  readonly description?: string;
  readonly secret: boolean;
  readonly choices?: readonly string[];
}

export type KeyValue = z.infer<typeof keyValueSchema>;
export type Argument = z.infer<typeof argumentSchema>;
type Variables = z.infer<typeof variablesSchema>;
/** What an argument, a header, an environment variable and a `{variable}` have in common. */
export type Described = Variables[string] & { readonly variables?: Variables | undefined };

/** Something that was filled in: what it became, whether a user's secret is in it, and what is still missing. */
export interface Filled {
  readonly value?: string;
  readonly secret: boolean;
  readonly missing: readonly MissingInput[];
}
