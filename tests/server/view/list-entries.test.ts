import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findVersion, listVersions } from '../../../server/view/find-entry.ts';
import { listEntries } from '../../../server/view/list-entries.ts';
import type { Filters, Found, ListQuery, Position } from '../../../server/view/query.ts';
import type { Sight } from '../../../server/view/registry-view.ts';
import { proves } from '../../requirements/proves.ts';
import { withClasses } from '../../support/classed-segment.ts';
import { makeAnonymous, makeIdentity } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';
import { entries, HELD, NAMES, sources, TAGS, TIMES, VERSIONS } from './arbitrary.ts';
import { listNaively, type PlainSource } from './oracle.ts';

const filters: fc.Arbitrary<Filters> = fc
  .record(
    {
      version: fc.constantFrom('latest', ...VERSIONS),
      tag: fc.constantFrom(...TAGS, 'unknown'),
      source: fc.constantFrom('s0', 's1', 's2', 'unknown'),
      status: fc.constantFrom('active' as const, 'deprecated' as const),
      updatedSince: fc.constantFrom(...TIMES, (TIMES[2] ?? 0) + 1),
      includeDeleted: fc.boolean(),
    },
    { requiredKeys: ['includeDeleted'] },
  )
  .map((drawn) => ({ type: 'server', ...drawn }));

async function see(plain: readonly PlainSource[], held: typeof HELD | 'everything'): Promise<Sight> {
  const segments = await Promise.all(
    plain.map(async ({ source, entries: own, claims }) =>
      withClasses(await makeSegment(source, own), (name) => claims[name] ?? {}),
    ),
  );
  const registry = makeWorld({ main: { segments } }).registries.get('main');
  if (!registry) throw new Error('no registry');
  return registry.sightOf(held === 'everything' ? makeAnonymous() : makeIdentity(held));
}

function keyOf({ part, table, row }: Found): string {
  return `${part.segment.source} ${table.nameAt(table.nameIndexOf(row))}@${table.versionOf(row)}`;
}

function walk(sight: Sight, query: Omit<ListQuery, 'limit' | 'after'>, limit: number): string[] {
  const seen: string[] = [];
  let after: Position | undefined;
  do {
    const page = listEntries(sight, { ...query, limit, ...(after ? { after } : {}) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.next) expect(page.items.length).toBe(limit);
    seen.push(...page.items.map(keyOf));
    // A walk that goes in circles fails instead of going on for ever.
    expect(new Set(seen).size).toBe(seen.length);
    after = page.next;
  } while (after);
  return seen;
}

const held = fc.constantFrom(HELD, 'everything' as const);
const limit = fc.integer({ min: 1, max: 7 });

describe('listEntries', () => {
  it(`${proves('C-5-44', 'C-5-45', 'C-5-50', 'C-5-37', 'S-4-04', 'C-12.4-02')} lists what a naive oracle lists, with any filters and any limit`, async () => {
    const property = fc.asyncProperty(sources, held, filters, limit, async (plain, who, query, size) => {
      expect(walk(await see(plain, who), query, size)).toEqual(listNaively(plain, who, query));
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it(`${proves('C-5-50')} finds by search exactly what the list holds, each once, whatever the limit`, async () => {
    const property = fc.asyncProperty(sources, held, filters, limit, async (plain, who, query, size) => {
      const found = walk(await see(plain, who), { ...query, search: 'about' }, size);
      expect([...found].sort()).toEqual(listNaively(plain, who, query).sort());
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it(`${proves('C-5-46', 'C-5-47')} agrees with versions, detail and latest on the winner, whatever the page size`, async () => {
    const property = fc.asyncProperty(sources, held, limit, async (plain, who, size) => {
      const sight = await see(plain, who);
      const listed = walk(sight, { type: 'server', includeDeleted: false }, size);
      const latest = walk(sight, { type: 'server', includeDeleted: false, version: 'latest' }, size);
      for (const name of NAMES) {
        const own = listed.filter((key) => key.includes(` ${name}@`));
        const versions = listVersions(sight, 'server', name, false);
        expect(versions.map(keyOf)).toEqual(own);
        const newest = findVersion(sight, 'server', name, 'latest', false);
        expect(newest ? [keyOf(newest)] : []).toEqual(latest.filter((key) => key.includes(` ${name}@`)));
        expect(versions.filter((one) => one.isLatest).map(keyOf)).toEqual(newest ? [keyOf(newest)] : []);
        for (const version of VERSIONS) {
          const one = findVersion(sight, 'server', name, version, false);
          expect(one ? [keyOf(one)] : []).toEqual(own.filter((key) => key.endsWith(`${name}@${version}`)));
        }
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('asks a further filter about nothing but what the caller sees, and lists what it accepts', async () => {
    const scene = fc.tuple(sources, held, filters, limit, fc.constantFrom(undefined, 'about'));
    const property = fc.asyncProperty(scene, async ([plain, who, query, size, search]) => {
      const seen = listNaively(plain, who, query);
      const accepts = (found: Found) => {
        expect(seen).toContain(keyOf(found));
        return keyOf(found).includes('a/');
      };
      const more = search === undefined ? {} : { search };
      const found = walk(await see(plain, who), { ...query, ...more, accepts }, size);
      const wanted = seen.filter((key) => key.includes('a/'));
      expect(search ? found.sort() : found).toEqual(search ? wanted.sort() : wanted);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it(`${proves('C-5-50')} yields what stays exactly once while other entries come and go between the pages`, async () => {
    const scene = fc.record({
      all: entries(30),
      staying: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      present: fc.infiniteStream(fc.boolean()),
      size: limit,
      search: fc.constantFrom(undefined, 'about'),
    });
    const property = fc.asyncProperty(scene, async ({ all, staying, present, size, search }) => {
      const source = { source: 's0', claims: {} };
      const stays = all.filter((_, index) => staying[index]);
      const seen: string[] = [];
      let after: Position | undefined;
      do {
        const now = all.filter((one) => stays.includes(one) || present.next().value === true);
        const sight = await see([{ ...source, entries: now }], 'everything');
        const more = { ...(after ? { after } : {}), ...(search ? { search } : {}) };
        const page = listEntries(sight, { type: 'server', includeDeleted: true, limit: size, ...more });
        seen.push(...page.items.map(keyOf));
        expect(new Set(seen).size).toBe(seen.length);
        after = page.next;
      } while (after);
      const wanted = listNaively([{ ...source, entries: stays }], 'everything', {
        type: 'server',
        includeDeleted: true,
      });
      const found = seen.filter((key) => wanted.includes(key));
      expect(search ? found.sort() : found).toEqual(search ? wanted.sort() : wanted);
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
