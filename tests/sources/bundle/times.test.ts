import { describe, expect, it } from 'vitest';
import { compileBundle } from '../../../sources/bundle/compile-bundle.ts';
import { hashBundle } from '../../../sources/bundle/format.ts';
import { openBundle, timedRows } from '../../../sources/bundle/open-bundle.ts';
import {
  type BundleTimes,
  carryTimes,
  packTimes,
  startTimes,
  unpackTimes,
} from '../../../sources/bundle/times.ts';
import type { CatalogEntry, EntryStatus } from '../../../sources/model/entry.ts';
import type { RowTimes } from '../../../sources/model/entry-table.ts';
import { proves } from '../../requirements/proves.ts';
import { type EntryExtras, makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';

const MONDAY = Date.UTC(2026, 0, 5);
const TUESDAY = Date.UTC(2026, 0, 6);

async function follow(
  before: readonly CatalogEntry[],
  after: readonly CatalogEntry[],
): Promise<Map<string, RowTimes>> {
  const first = await compileBundle({ entries: before, rejected: [] });
  const second = await compileBundle({ entries: after, rejected: [] });
  const times = carryTimes(timedRows(first), startTimes(before.length, MONDAY), timedRows(second), TUESDAY);
  const opened = openBundle(second, hashBundle(second), times, TUESDAY);
  const seen = new Map<string, RowTimes>();
  for (const table of [opened.servers, opened.skills]) {
    for (let row = 0; row < table.rowCount; row++) {
      const key = `${table.type} ${table.nameAt(table.nameIndexOf(row))}@${table.versionOf(row)}`;
      seen.set(key, table.timesOf(row));
    }
  }
  return seen;
}

const kept = { published: MONDAY, updated: MONDAY, statusChanged: MONDAY, changed: MONDAY };
const one = (extras: EntryExtras = {}) => [makeServer('a/a', '1.0.0', extras)];
const only = async (before: EntryExtras, after: EntryExtras) =>
  (await follow(one(before), one(after))).get('server a/a@1.0.0');

describe('the times of a bundle that follows another', () => {
  it(`${proves('C-5-09')} move for what changed and for nothing else`, async () => {
    const files = [makeFile('SKILL.md', 'x')];
    const before = [
      makeServer('b/b', '1.0.0'),
      makeServer('b/b', '2.0.0'),
      makeServer('c/c', '1.0.0'),
      makeServer('d/d', '1.0.0'),
      makeSkill('b/b', '1.0.0', { files }),
      makeSkill('c/c', '1.0.0', { files }),
    ];
    const after = [
      makeServer('a/a', '1.0.0'),
      makeServer('b/b', '1.0.0'),
      makeServer('b/b', '2.0.0', { body: { description: 'Another' } }),
      makeServer('b/b', '3.0.0'),
      makeServer('d/d', '1.0.0'),
      makeSkill('b/b', '1.0.0', { files }),
      makeSkill('c/c', '1.0.0', { files: [makeFile('SKILL.md', 'y')] }),
    ];
    const changed = { published: MONDAY, updated: TUESDAY, statusChanged: MONDAY, changed: TUESDAY };
    const added = { published: TUESDAY, updated: TUESDAY, statusChanged: TUESDAY, changed: TUESDAY };
    expect(Object.fromEntries(await follow(before, after))).toEqual({
      'server a/a@1.0.0': added,
      'server b/b@1.0.0': kept,
      'server b/b@2.0.0': changed,
      'server b/b@3.0.0': added,
      'server d/d@1.0.0': kept,
      'skill b/b@1.0.0': kept,
      'skill c/c@1.0.0': changed,
    });
  });

  it('move the time of the status with the status', async () => {
    const status: EntryStatus = 'deprecated';
    expect(await only({}, { status })).toEqual({
      published: MONDAY,
      updated: TUESDAY,
      statusChanged: TUESDAY,
      changed: TUESDAY,
    });
    expect(await only({ status }, { status, statusMessage: 'why' })).toMatchObject({
      statusChanged: MONDAY,
      changed: TUESDAY,
    });
  });

  it('are those an upstream gives, in an order that makes sense', async () => {
    const [published, updated] = [Date.UTC(2025, 0, 1), Date.UTC(2025, 5, 1)];
    expect(await only({}, { publishedAt: published, updatedAt: updated, statusChangedAt: updated })).toEqual({
      published,
      updated,
      statusChanged: updated,
      changed: TUESDAY,
    });
    const late = Date.UTC(2027, 0, 1);
    const times = await only({ publishedAt: late }, { publishedAt: late });
    expect(times).toEqual({ published: late, updated: late, statusChanged: late, changed: late });
  });

  it('come out of their file as they went in, and of no other file', () => {
    const times: BundleTimes = startTimes(3, MONDAY);
    times.changed[1] = TUESDAY;
    const hash = 'ab'.repeat(32);
    const file = packTimes(hash, times);
    expect(unpackTimes(file, hash, 3)).toEqual(times);
    expect(unpackTimes(file, 'cd'.repeat(32), 3)).toBeUndefined();
    expect(unpackTimes(file, hash, 2)).toBeUndefined();
    expect(unpackTimes(file.subarray(1), hash, 3)).toBeUndefined();
    expect(unpackTimes(packTimes(hash, startTimes(0, 0)), hash, 0)).toEqual(startTimes(0, 0));
  });
});
