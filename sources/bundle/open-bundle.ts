import type { SkillArtifact } from '../model/entry-table.ts';
import { BundleTable } from './bundle-table.ts';
import { type BundleHeader, type OpenedSections, unpackBundle } from './format.ts';
import { type BundleTimes, startTimes, type TimedRows } from './times.ts';

/** A bundle ready to be read. */
export interface OpenBundle {
  readonly hash: string;
  readonly header: BundleHeader;
  readonly servers: BundleTable;
  readonly skills: BundleTable;
  readonly times: BundleTimes;
  /** The newest change of any version (ms). */
  readonly lastModified: number;
  artifactOf(skillRow: number): SkillArtifact | undefined;
}

type ArtifactIndex = Record<
  string,
  readonly [offset: number, length: number, type: SkillArtifact['type'], digest: string]
>;

/**
 * Opens a bundle whose hash was checked.
 * @param times undefined: every version counts as seen at `now`
 * @throws BerthError `bundle_unreadable`
 */
export function openBundle(
  bytes: Uint8Array,
  hash: string,
  times: BundleTimes | undefined,
  now: number,
): OpenBundle {
  const sections = unpackBundle(bytes);
  const { header } = sections;
  const known = times ?? startTimes(header.servers.rows + header.skills.rows, now);
  const servers = new BundleTable('server', sections, known, 0);
  const skills = new BundleTable('skill', sections, known, header.servers.rows);
  const artifacts: ArtifactIndex = JSON.parse(sections.bytes('artifactIndex').toString('utf8'));
  return {
    hash,
    header,
    servers,
    skills,
    times: known,
    lastModified: newest(servers, skills),
    artifactOf: (row) => {
      const place = artifacts[row];
      if (!place) return undefined;
      const [offset, length, type, digest] = place;
      return { type, digest, bytes: sections.bytes('artifacts').subarray(offset, offset + length) };
    },
  };
}

/** The rows of a bundle as `carryTimes` compares them. */
export function timedRows(bytes: Uint8Array): TimedRows {
  const sections = unpackBundle(bytes);
  const tables = ['servers', 'skills'].map((table) => timedTable(sections, table));
  const [servers, skills] = tables;
  if (!servers || !skills) throw new TypeError('a bundle has two tables');
  const pick = <T>(row: number, read: (table: TimedRows, row: number) => T): T =>
    row < servers.rowCount ? read(servers, row) : read(skills, row - servers.rowCount);
  return {
    rowCount: servers.rowCount + skills.rowCount,
    keyOf: (row) => pick(row, (table, at) => table.keyOf(at)),
    digestOf: (row) => pick(row, (table, at) => table.digestOf(at)),
    statusOf: (row) => pick(row, (table, at) => table.statusOf(at)),
  };
}

function timedTable(sections: OpenedSections, table: string): TimedRows {
  const names = sections.texts(`${table}.names`);
  const versions = sections.texts(`${table}.versions`);
  const firstRow = sections.u32(`${table}.firstRow`);
  const digests = sections.u32(`${table}.digests`);
  const status = sections.u32(`${table}.status`);
  const nameOf: string[] = [];
  for (const [index, name] of names.entries()) {
    for (let row = firstRow[index] ?? 0; row < (firstRow[index + 1] ?? 0); row++) nameOf.push(name);
  }
  return {
    rowCount: versions.length,
    keyOf: (row) => `${table}\n${nameOf[row]}\n${versions[row]}`,
    digestOf: (row) => (digests[row * 2] ?? 0) * 2 ** 21 + ((digests[row * 2 + 1] ?? 0) >>> 11),
    statusOf: (row) => String(status[row]),
  };
}

function newest(...tables: readonly BundleTable[]): number {
  let latest = 0;
  for (const table of tables) {
    for (let row = 0; row < table.rowCount; row++) latest = Math.max(latest, table.timesOf(row).changed);
  }
  return latest;
}
