import { z } from 'zod';

/** One request of a load; they are sent in order, over and over. */
export interface LoadRequest {
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Load {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Whole seconds. */
  readonly seconds: number;
}

export const loadResultSchema = z.object({
  requests: z.number(),
  perSecond: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
  /** Status of 400 and above, and errors of the connection. */
  failed: z.number(),
});

export type LoadResult = z.infer<typeof loadResultSchema>;

/** Puts load on a server and measures. */
export type GenerateLoad = (load: Load) => Promise<LoadResult>;
