import type { Mount } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';

/** What `--volume` takes: `host-path:container-path[:ro]`. */
export type Volume = Plan['volumes'][number];

/** A file or directory of a mount that is covered by an empty one. */
export interface Overlay {
  readonly kind: 'file' | 'directory';
  /** Absolute path on the host. */
  readonly source: string;
  /** Path in the container. */
  readonly target: string;
}

export interface ResolvedMounts {
  /** Mounts of the volumes and the profile, in order, then the read-only mounts that cover what is hidden. */
  readonly mounts: readonly Mount[];
  readonly overlays: readonly Overlay[];
  /** One line each. */
  readonly warnings: readonly string[];
}

export interface MountContext {
  /** Directory that relative paths of a profile start from. */
  readonly cwd: string;
  /** `UserDirectories.config`: holds the global `berthignore`. */
  readonly configDirectory: string;
  /** Private directory of the workload for the empty file and directory overlays are made of; goes with the workload. */
  readonly runtimeDirectory: string;
}
