/** What one caller sees: registry, then entry (`server/NAME`, `skill/NAMESPACE/NAME`), then the source it comes from. */
export type Sights = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface SightChange {
  readonly registry: string;
  /** Seen afterwards and not before. */
  readonly gained: readonly string[];
  /** Seen before and not afterwards. */
  readonly lost: readonly string[];
  /** Seen both times, but from another source: another entry of the same name. */
  readonly moved: readonly { readonly entry: string; readonly from: string; readonly to: string }[];
}

/** Of which entries a caller gains or loses sight (contract 1, `diff`), by registry; registries without change are left out. */
export function compareSights(before: Sights, after: Sights): SightChange[] {
  const registries = [...new Set([...before.keys(), ...after.keys()])].sort();
  return registries.flatMap((registry) => {
    const old = before.get(registry) ?? new Map<string, string>();
    const next = after.get(registry) ?? new Map<string, string>();
    const gained = [...next.keys()].filter((entry) => !old.has(entry)).sort();
    const lost = [...old.keys()].filter((entry) => !next.has(entry)).sort();
    const moved = [...old].flatMap(([entry, from]) => {
      const to = next.get(entry);
      return to === undefined || to === from ? [] : [{ entry, from, to }];
    });
    return gained.length + lost.length + moved.length === 0 ? [] : [{ registry, gained, lost, moved }];
  });
}
