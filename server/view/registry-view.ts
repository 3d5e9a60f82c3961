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

/** Which classes a caller sees, and whether they are let in: what holds for as long as no class is added. */
interface Standing {
  readonly admitted: boolean;
  readonly pattern: string;
  readonly classCount: number;
}

/** What follows from a pattern, whatever the segments hold. */
interface PatternMeaning {
  readonly key: number;
  /** For each segment; undefined where nothing is visible. */
  readonly parts: readonly (Pick<SegmentSight, 'sees' | 'all'> | undefined)[];
}

let lastId = 0;
/** Of each registry as it was declared. */
const meanings = new WeakMap<RegistrySettings, Map<string, PatternMeaning>>();
const MOST_PATTERNS = 10_000;

/**
 * A registry at one moment: its segments in order. Never changes; a new bundle or a publish makes a new view, and what
 * was remembered of the old one is dropped with it.
 */
export class RegistryView {
  readonly settings: RegistrySettings;
  readonly segments: readonly Segment[];
  readonly #byIdentity = new WeakMap<Identity, Remembered>();
  readonly #byPattern = new Map<string, Sight>();
  readonly #standings: WeakMap<Identity, Standing>;
  readonly #classCount: number;

  /** @param before the view that this one replaces: what is known of callers is taken over where it still holds */
  constructor(settings: RegistrySettings, segments: readonly Segment[], before?: RegistryView) {
    this.settings = settings;
    this.segments = segments;
    this.#classCount = segments.reduce((count, { classes }) => count + classes.length, 0);
    this.#standings = before && haveSameClasses(before, this) ? before.#standings : new WeakMap();
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
    const { admitted, pattern } = this.#stand(identity);
    const remembered = { admitted, sight: this.#reachSight(pattern) };
    this.#byIdentity.set(identity, remembered);
    return remembered;
  }

  #stand(identity: Identity): Standing {
    const known = this.#standings.get(identity);
    if (known?.classCount === this.#classCount) return known;
    const standing = {
      admitted: mayPass(identity, this.settings.claims),
      pattern: this.segments
        .map(({ classes }) => {
          let sees = '';
          for (const claims of classes) sees += mayPass(identity, claims) ? '1' : '0';
          return sees;
        })
        .join('|'),
      classCount: this.#classCount,
    };
    this.#standings.set(identity, standing);
    return standing;
  }

  #reachSight(pattern: string): Sight {
    const known = this.#byPattern.get(pattern);
    if (known) return known;
    const meaning = readPattern(this.settings, pattern);
    const parts = this.segments.flatMap((segment, index) => {
      const part = meaning.parts[index];
      return part ? [{ segment, sees: part.sees, all: part.all }] : [];
    });
    const lastModified = Math.max(0, ...parts.map((part) => part.segment.lastModified));
    const sight = { id: ++lastId, key: meaning.key, registry: this, parts, lastModified };
    this.#byPattern.set(pattern, sight);
    return sight;
  }
}

/** Lists of classes are only ever added to: the same lists of the same length mean the same. */
function haveSameClasses(before: RegistryView, after: RegistryView): boolean {
  return (
    before.settings === after.settings &&
    before.segments.length === after.segments.length &&
    before.segments.every(({ classes }, index) => classes === after.segments[index]?.classes)
  );
}

function readPattern(settings: RegistrySettings, pattern: string): PatternMeaning {
  const known = meanings.get(settings) ?? new Map<string, PatternMeaning>();
  meanings.set(settings, known);
  const meaning = known.get(pattern) ?? { key: ++lastId, parts: pattern.split('|').map(readSees) };
  // Whoever lost a number only renders anew.
  if (known.size >= MOST_PATTERNS) known.clear();
  known.set(pattern, meaning);
  return meaning;
}

function readSees(text: string): PatternMeaning['parts'][number] {
  const sees = Uint8Array.from(text, Number);
  return sees.includes(1) ? { sees, all: !sees.includes(0) } : undefined;
}
