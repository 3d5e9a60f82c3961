import type { SchemaName } from './component-schemas.ts';
import type { ParameterName } from './parameters.ts';

export type Tag =
  | 'Registries'
  | 'Servers'
  | 'Skills'
  | 'Sources'
  | 'Entries'
  | 'Caller'
  | 'Discovery'
  | 'Hooks';
export type HeaderName = 'ETag' | 'LastModified' | 'Location' | 'WWWAuthenticate' | 'RetryAfter';

/** An answer that is no error. */
export interface Success {
  readonly description: string;
  /** Absent for answers without a body and for those that are no JSON. */
  readonly schema?: SchemaName;
  /** Media type of a body that is no JSON. */
  readonly type?: string;
  readonly example?: unknown;
  readonly headers?: readonly HeaderName[];
}

/** One call of the API, as the document tells it. What all calls of its kind have in common is added to it. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Answered without a token in every mode. */
  readonly open?: boolean;
  /** Answers carry ETag and the like, and `If-None-Match` is honoured. */
  readonly conditional?: boolean;
  /** Writes to the store, which may be full or away. */
  readonly stores?: boolean;
  readonly parameters?: readonly ParameterName[];
  readonly body?: { readonly schema?: SchemaName; readonly examples: Readonly<Record<string, unknown>> };
  readonly answers: Readonly<Record<number, Success>>;
  /** The codes of the problems of this call by status. */
  readonly problems?: Readonly<Record<number, readonly string[]>>;
}
