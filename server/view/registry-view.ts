import type { ClaimSet } from '../../sources/model/claims.ts';
import type { Segment } from '../../sources/model/entry-table.ts';
import type { Identity } from '../auth/identity.ts';
import { mayPass } from '../authz/decide.ts';

/** What a caller sees of one segment. */
export interface SegmentSight {
  readonly segment: Segment;
  /** Every class is visible: no check per name. */
  readonly all: boolean;
  /** 1 for each visible claims class. */
  readonly sees: Uint8Array;
}

/** What a caller sees of a registry; callers who see the same share one object, and with it every cached page. */
export interface Sight {
  readonly id: number;
  /**
   * The same in every view of the registry for callers who see the same classes of the same sources, whatever changed
   * in these.
   */
  readonly key: number;
  readonly registry: RegistryView;
  /** Segments with at least one visible class, in the registry's order. */
  readonly parts: readonly SegmentSight[];
  readonly lastModified: number;
}

export interface RegistrySettings {
  readonly name: string;
  readonly description: string | undefined;
  readonly claims: ClaimSet;
}

interface Remembered {
  readonly admitted: boolean;
  readonly sight: Sight;
}

let lastId = 0;
/** Of each registry as it was declared: the numbers of what callers see of it. */
const keys = new WeakMap<RegistrySettings, Map<string, number>>();
const MOST_KEYS = 10_000;

/**
 * A registry at one moment: its segments in order. Never changes; a new bundle or a publish makes a new view, and what
 * was remembered of the old one is dropped with it.
 */
export class RegistryView {
  readonly settings: RegistrySettings;
  readonly segments: readonly Segment[];
  readonly #byIdentity = new WeakMap<Identity, Remembered>();
  readonly #byPattern = new Map<string, Sight>();

  constructor(settings: RegistrySettings, segments: readonly Segment[]) {
    this.settings = settings;
    this.segments = segments;
  }

  /** The gate of the consumer API (specification 5.8): registry claims under the visibility rule. */
  admits(identity: Identity): boolean {
    return this.#remember(identity).admitted;
  }

  /** What the caller sees inside (specification 5.9, 5.10). Computed once per identity and view. */
  sightOf(identity: Identity): Sight {
    return this.#remember(identity).sight;
  }

  #remember(identity: Identity): Remembered {
    const known = this.#byIdentity.get(identity);
    if (known) return known;
    const remembered = {
      admitted: mayPass(identity, this.settings.claims),
      sight: this.#computeSight(identity),
    };
    this.#byIdentity.set(identity, remembered);
    return remembered;
  }

  #computeSight(identity: Identity): Sight {
    const pattern = this.segments
      .map(({ classes }) => {
        let sees = '';
        for (const claims of classes) sees += mayPass(identity, claims) ? '1' : '0';
        return sees;
      })
      .join('|');
    const known = this.#byPattern.get(pattern);
    if (known) return known;
    const patterns = pattern.split('|');
    const parts = this.segments.flatMap((segment, index) => {
      const sees = Uint8Array.from(patterns[index] ?? '', Number);
      return sees.includes(1) ? [{ segment, sees, all: !sees.includes(0) }] : [];
    });
    const lastModified = Math.max(0, ...parts.map((part) => part.segment.lastModified));
    const key = findKey(this.settings, pattern);
    const sight = { id: ++lastId, key, registry: this, parts, lastModified };
    this.#byPattern.set(pattern, sight);
    return sight;
  }
}

function findKey(settings: RegistrySettings, pattern: string): number {
  const known = keys.get(settings) ?? new Map<string, number>();
  keys.set(settings, known);
  const key = known.get(pattern) ?? ++lastId;
  // Whoever lost a number only renders anew.
  if (known.size >= MOST_KEYS) known.clear();
  known.set(pattern, key);
  return key;
}
