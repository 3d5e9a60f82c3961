import { z } from 'zod';

const originSchema = z.looseObject({ kind: z.enum(['file', 'git', 'api']) });

/** One bundle of a source as the manifest remembers it. */
export const bundleRecordSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  builtAt: z.string(),
  origin: originSchema,
  servers: z.int(),
  skills: z.int(),
  versions: z.int(),
  rejected: z.int(),
  bytes: z.int(),
});

export const sourceRecordSchema = z.object({
  /** Hash of the bundle that is served. */
  current: z.string(),
  /** Newest first; the served one is among them. */
  bundles: z.array(bundleRecordSchema),
  /** What the newest bundle was made from; equal to what is fetched next when nothing changed. */
  input: z.object({ digest: z.string(), settings: z.string() }),
});

export const manifestSchema = z.object({
  version: z.literal(1),
  sources: z.record(z.string(), sourceRecordSchema),
});

export type BundleRecord = z.infer<typeof bundleRecordSchema>;
export type SourceRecord = z.infer<typeof sourceRecordSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** Bundles kept per source, the current one among them (contract 4). */
export const KEPT_BUNDLES = 5;

/** The record of a source after a new bundle became its current one. */
export function recordBundle(
  before: SourceRecord | undefined,
  bundle: BundleRecord,
  input: SourceRecord['input'],
): SourceRecord {
  const others = (before?.bundles ?? []).filter((known) => known.hash !== bundle.hash);
  return { current: bundle.hash, bundles: [bundle, ...others].slice(0, KEPT_BUNDLES), input };
}
