import type { BundleRecord } from '../../sources/bundle/manifest.ts';
import type { OpenBundle } from '../../sources/bundle/open-bundle.ts';
import type { ClaimSet, Claims } from '../../sources/model/claims.ts';
import { normalizeClaims } from '../../sources/model/claims.ts';
import type { EntryTable, Segment, SkillArtifact } from '../../sources/model/entry-table.ts';

let lastGeneration = 0;

/** A number that grows with every segment that is made. */
export function nextGeneration(): number {
  return ++lastGeneration;
}

/** The `dev.berth/origin` value of a source's entries: source, bundle hash, and what the kind knows. */
export function describeOrigin(
  source: string,
  record: Pick<BundleRecord, 'hash' | 'origin'>,
): Record<string, unknown> {
  const { kind, commit, ref, repository } = record.origin;
  return {
    source,
    kind,
    bundle: `sha256:${record.hash}`,
    ...(commit ? { commit } : {}),
    ...(ref ? { ref } : {}),
    ...(repository ? { repository } : {}),
  };
}

/** A synced source as views read it: one claims class, the source's own claims (specification 2.2). */
export class BundleSegment implements Segment {
  readonly source: string;
  readonly servers: EntryTable;
  readonly skills: EntryTable;
  readonly classes: readonly ClaimSet[];
  readonly generation = nextGeneration();
  readonly origin: string;
  readonly lastModified: number;
  readonly bundle: OpenBundle;
  readonly record: BundleRecord;

  constructor(source: string, claims: Claims | undefined, bundle: OpenBundle, record: BundleRecord) {
    this.source = source;
    this.servers = bundle.servers;
    this.skills = bundle.skills;
    this.classes = [normalizeClaims(claims)];
    this.origin = JSON.stringify(describeOrigin(source, record));
    this.lastModified = bundle.lastModified;
    this.bundle = bundle;
    this.record = record;
  }

  artifactOf(row: number): SkillArtifact | undefined {
    return this.bundle.artifactOf(row);
  }
}
