import type { Schema } from '../../../sources/config/inspect-schema.ts';
import { readBlocks } from './read-keys.ts';

/** An environment variable and the key it sets; `N` stands for an element of a list. */
export interface Variable {
  readonly variable: string;
  readonly path: string;
}

/** The variable of every single value of a schema, in alphabetical order. */
export function listVariables(schema: Schema): Variable[] {
  return readBlocks(schema)
    .flatMap(({ keys }) => keys.filter(({ isScalar }) => isScalar))
    .map(({ path }) => ({ variable: `BERTH_${spell(path)}`, path }))
    .sort((a, b) => (a.variable < b.variable ? -1 : 1));
}

function spell(path: string): string {
  return path
    .replaceAll('[]', '.N')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase();
}
