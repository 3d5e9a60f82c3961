import { describe, expect, it } from 'vitest';
import { ClusterTables } from '../../../server/kubernetes/cluster-tables.ts';
import type { ClusterEntry } from '../../../sources/kinds/kubernetes/translate-resource.ts';
import type { Claims } from '../../../sources/model/claims.ts';
import type { Segment } from '../../../sources/model/entry-table.ts';
import { proves } from '../../requirements/proves.ts';

const CREATED = Date.parse('2026-01-01');
const TOUCHED = Date.parse('2026-01-05');
const NOW = Date.parse('2026-02-01');

function makeEntry(name: string, change: Partial<ClusterEntry> = {}, title = 'One'): ClusterEntry {
  const version = change.version ?? '1.0.0';
  return {
    type: 'server',
    name,
    version,
    body: { name, version, title, description: 'x' },
    status: 'active',
    publishedAt: CREATED,
    updatedAt: TOUCHED,
    tags: [],
    tools: [],
    file: name,
    line: 1,
    claims: {},
    ...change,
  };
}

function timesOf({ servers }: Segment, name: string) {
  const row = servers.rowsOf(servers.find(name))[0];
  return row === undefined ? undefined : servers.timesOf(row);
}

function claimsOf(segment: Segment, name: string) {
  return segment.classes[segment.servers.classOf(segment.servers.find(name))];
}

function namesOf({ servers }: Segment) {
  return Array.from({ length: servers.nameCount }, (_, index) => servers.nameAt(index));
}

/** Applies and insists on a segment. */
function apply(tables: ClusterTables, entries: ClusterEntry[], now: number, isComplete = true): Segment {
  const segment = tables.apply(entries, { now, isComplete });
  if (!segment) throw new Error('nothing changed');
  return segment;
}

describe('the tables of a cluster', () => {
  it('hold what they are given, with the times the cluster knows at first', () => {
    const segment = apply(new ClusterTables('cluster'), [makeEntry('b/x'), makeEntry('a/x')], NOW);
    expect(namesOf(segment)).toEqual(['a/x', 'b/x']);
    expect(timesOf(segment, 'a/x')).toEqual({
      published: CREATED,
      updated: TOUCHED,
      statusChanged: CREATED,
      changed: TOUCHED,
    });
    expect(segment.lastModified).toBe(TOUCHED);
    expect(JSON.parse(segment.origin)).toEqual({ source: 'cluster', kind: 'kubernetes' });
  });

  it('never say a time that is still to come, whatever the clock of the cluster', () => {
    const ahead = makeEntry('a/x', { publishedAt: NOW + 5000, updatedAt: NOW + 9000 });
    const segment = apply(new ClusterTables('cluster'), [ahead], NOW);
    expect(timesOf(segment, 'a/x')).toMatchObject({ published: NOW, updated: NOW, changed: NOW });
  });

  it('move the times of what changed and of nothing else', () => {
    const tables = new ClusterTables('cluster');
    apply(tables, [makeEntry('a/x'), makeEntry('b/x'), makeEntry('c/x')], NOW);
    const later = NOW + 60_000;
    const changed = [
      makeEntry('a/x', { updatedAt: later }),
      makeEntry('b/x', {}, 'Two'),
      makeEntry('d/x', { publishedAt: CREATED }),
    ];
    const segment = apply(tables, changed, later);
    expect(namesOf(segment)).toEqual(['a/x', 'b/x', 'd/x']);
    expect(timesOf(segment, 'a/x')).toMatchObject({ updated: TOUCHED, changed: TOUCHED });
    expect(timesOf(segment, 'b/x')).toMatchObject({ published: CREATED, updated: later, changed: later });
    expect(timesOf(segment, 'd/x')).toMatchObject({ published: CREATED, changed: later });
    expect(segment.lastModified).toBe(later);
  });

  it('give no other segment when nothing changed', () => {
    const tables = new ClusterTables('cluster');
    apply(tables, [makeEntry('a/x')], NOW);
    expect(
      tables.apply([makeEntry('a/x', { updatedAt: NOW })], { now: NOW + 1, isComplete: true }),
    ).toBeUndefined();
  });

  it('publish another version in place of the one before', () => {
    const tables = new ClusterTables('cluster');
    apply(tables, [makeEntry('a/x')], NOW);
    const segment = apply(tables, [makeEntry('a/x', { version: '2.0.0' })], NOW + 1);
    const rows = segment.servers.rowsOf(0);
    expect(rows.map((row) => segment.servers.versionOf(row))).toEqual(['2.0.0']);
    expect(timesOf(segment, 'a/x')).toMatchObject({ published: NOW + 1, updated: NOW + 1 });
    expect(segment.servers.latestOf(0)).toBe(rows[0]);
  });

  it(`${proves('S-2.2-13')} overwrite the claims of an entry, counting it as changed but not as updated`, () => {
    const tables = new ClusterTables('cluster');
    const withClaims = (claims: Claims) => [
      makeEntry('a/x', { claims }),
      makeEntry('b/x', { claims: { org: 'b' } }),
    ];
    expect(claimsOf(apply(tables, withClaims({ org: 'a', team: 't' }), NOW), 'a/x')).toEqual([
      ['org', ['a']],
      ['team', ['t']],
    ]);
    const replaced = apply(tables, withClaims({ org: ['z'] }), NOW + 1);
    expect(claimsOf(replaced, 'a/x')).toEqual([['org', ['z']]]);
    expect(timesOf(replaced, 'a/x')).toMatchObject({ updated: TOUCHED, changed: NOW + 1 });
    const cleared = apply(tables, withClaims({}), NOW + 2);
    expect(claimsOf(cleared, 'a/x')).toEqual([]);
    expect(claimsOf(cleared, 'b/x')).toEqual([['org', ['b']]]);
    expect(tables.apply(withClaims({}), { now: NOW + 3, isComplete: true })).toBeUndefined();
  });

  it('keep what was known while parts of the cluster cannot be read', () => {
    const tables = new ClusterTables('cluster');
    apply(tables, [makeEntry('a/x'), makeEntry('b/x')], NOW);
    const partial = apply(tables, [makeEntry('c/x')], NOW + 1, false);
    expect(namesOf(partial)).toEqual(['a/x', 'b/x', 'c/x']);
    expect(namesOf(apply(tables, [makeEntry('c/x')], NOW + 2))).toEqual(['c/x']);
  });

  it('are found by their words and tags', () => {
    const tables = new ClusterTables('cluster');
    const segment = apply(tables, [makeEntry('a/x', { tags: ['web'], tools: ['fetch'] })], NOW);
    expect(segment.servers.search('fetch')).toHaveLength(1);
    expect(segment.servers.namesTagged('web')).toEqual([0]);
    const empty = apply(tables, [], NOW + 1);
    expect(empty.servers.search('fetch')).toHaveLength(0);
    expect(empty.servers.nameCount).toBe(0);
  });
});
