import type { ClaimSet } from '../../sources/model/claims.ts';
import type { EntryTable, Segment } from '../../sources/model/entry-table.ts';
import type { ManagedSource } from '../overlay/overlay-segment.ts';
import { nextGeneration } from '../view/bundle-segment.ts';

/**
 * A kubernetes source as views read it, at one moment: claims per entry, from annotations alone (specification 2.2).
 * As with managed sources, only the newest segment may be read.
 */
export class KubernetesSegment implements Segment {
  readonly source: string;
  readonly servers: EntryTable;
  readonly skills: EntryTable;
  readonly classes: readonly ClaimSet[];
  readonly generation = nextGeneration();
  readonly origin: string;
  readonly lastModified: number;

  constructor(tables: ManagedSource) {
    this.source = tables.source;
    this.servers = tables.servers;
    this.skills = tables.skills;
    this.classes = tables.classes.list;
    this.origin = JSON.stringify({ source: tables.source, kind: 'kubernetes' });
    this.lastModified = tables.lastModified;
  }

  /** Custom resources describe servers only. */
  artifactOf(): undefined {
    return undefined;
  }
}
