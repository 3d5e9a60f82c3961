import type { OpenBundle } from '../../sources/bundle/open-bundle.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';

/** One side of a comparison. */
export interface ComparedState {
  /** As the user named it. */
  readonly label: string;
  /** Absent for a directory of bundles. */
  readonly config?: LoadedConfig;
  readonly bundles: ReadonlyMap<string, OpenBundle>;
  /** What could not be compared. */
  readonly notes: readonly string[];
}
