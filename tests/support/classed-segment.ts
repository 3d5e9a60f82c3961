import { type BundleSegment, nextGeneration } from '../../server/view/bundle-segment.ts';
import { type ClaimSet, type Claims, normalizeClaims } from '../../sources/model/claims.ts';
import type { EntryTable, Segment } from '../../sources/model/entry-table.ts';

/** A source whose names have claims of their own, as published entries do. */
export function withClasses(segment: BundleSegment, claimsOf: (name: string) => Claims): Segment {
  const classes: ClaimSet[] = [];
  const known = new Map<string, number>();
  const classOf = (name: string): number => {
    const claims = normalizeClaims(claimsOf(name));
    const key = JSON.stringify(claims);
    const index = known.get(key) ?? classes.push(claims) - 1;
    known.set(key, index);
    return index;
  };
  const servers = classed(segment.servers, classOf);
  const skills = classed(segment.skills, classOf);
  return {
    source: segment.source,
    servers,
    skills,
    classes,
    generation: nextGeneration(),
    origin: segment.origin,
    lastModified: segment.lastModified,
    artifactOf: (row) => segment.artifactOf(row),
  };
}

function classed(table: EntryTable, classOf: (name: string) => number): EntryTable {
  const classes = Array.from({ length: table.nameCount }, (_, index) => classOf(table.nameAt(index)));
  return {
    type: table.type,
    nameCount: table.nameCount,
    rowCount: table.rowCount,
    nameAt: (index) => table.nameAt(index),
    find: (name) => table.find(name),
    seek: (name) => table.seek(name),
    classOf: (index) => classes[index] ?? 0,
    rowsOf: (index) => table.rowsOf(index),
    latestOf: (index) => table.latestOf(index),
    nameIndexOf: (row) => table.nameIndexOf(row),
    versionOf: (row) => table.versionOf(row),
    statusOf: (row) => table.statusOf(row),
    timesOf: (row) => table.timesOf(row),
    namesTagged: (tag) => table.namesTagged(tag),
    hasTag: (row, tag) => table.hasTag(row, tag),
    tagsOf: (row) => table.tagsOf(row),
    compareRows: (a, b) => table.compareRows(a, b),
    search: (query) => table.search(query),
    writeItem: (row, isLatest) => table.writeItem(row, isLatest),
    bodyOf: (row) => table.bodyOf(row),
  };
}
