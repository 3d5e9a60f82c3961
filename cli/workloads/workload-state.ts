import { z } from 'zod';
import { planSchema } from '../run/plan.ts';

export const WORKLOAD_STATUSES = [
  'starting',
  'running',
  'unhealthy',
  'stopped',
  'error',
  'unauthenticated',
  'removing',
] as const;
export type WorkloadStatus = (typeof WORKLOAD_STATUSES)[number];

/** The one file of a workload (contract 3): what was decided, and what became of it. Holds no secret value. */
export const workloadStateSchema = z.strictObject({
  stateVersion: z.literal(1),
  plan: planSchema,
  status: z.enum(WORKLOAD_STATUSES),
  /** Why, for `error`, `unhealthy` and `unauthenticated`. */
  reason: z.string().optional(),
  /** ISO 8601. */
  created: z.string(),
  updated: z.string(),
  /** The client URL; kept when the workload stops, so that `start` serves it again. */
  url: z.string().optional(),
  /** The port that was bound; the next start binds it again. */
  port: z.int().optional(),
  /** What exactly runs: `sha256:…` of the image. */
  imageId: z.string().optional(),
  /** The image in words, for `list`. */
  package: z.string(),
  /** One line about egress, as printed by `run`. */
  isolation: z.string(),
  /** The process that supervises it; `startedAt` tells a reused process id from ours. */
  supervisor: z.strictObject({ pid: z.int(), startedAt: z.string() }).optional(),
  restarts: z.int().default(0),
});
export type WorkloadState = z.infer<typeof workloadStateSchema>;
