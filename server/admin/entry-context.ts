import type { Claims } from '../../sources/model/claims.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { World } from '../view/world.ts';

/** A managed source, from the configuration or made through the API. */
export interface ManagedSourceInfo {
  readonly name: string;
  readonly claims: Claims | undefined;
}

/** What the calls on entries work with. */
export interface EntryContext {
  readonly overlay: Overlay;
  /** All managed sources, in the order of the configuration. */
  readonly managedSources: () => readonly ManagedSourceInfo[];
  readonly world: () => World;
  /** `limits.maxMetaBytes`. */
  readonly maxMetaBytes: () => number;
}
