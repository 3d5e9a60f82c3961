import fc from 'fast-check';
import type { CatalogEntry } from '../../../sources/model/entry.ts';
import { makeServer } from '../../support/make-entry.ts';
import type { PlainSource } from './oracle.ts';

export const NAMES = ['a/a', 'a/b', 'a/b-c', 'a/b.c', 'b/A', 'b/a', 'io.x/y', 'z/z'];
export const VERSIONS = ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1', 'v1.0.0', '1.0', 'nightly', '2025-08-21'];
export const TAGS = ['data', 'web'];
export const TIMES = [1, 2, 3].map((day) => Date.UTC(2026, 1, day));
export const HELD = { org: ['acme'], team: ['blue', 'green'] };
const CLAIMS = [
  { org: 'acme' },
  { org: 'acme', team: ['green', 'red'] },
  { org: 'acme', team: ['red'] },
  { org: 'umbra' },
  {},
];

const entry: fc.Arbitrary<CatalogEntry> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    version: fc.constantFrom(...VERSIONS),
    status: fc.constantFrom('active' as const, 'active' as const, 'deprecated' as const, 'deleted' as const),
    tags: fc.subarray(TAGS),
    updatedAt: fc.constantFrom(...TIMES),
    // Makes the scores of a search for `about` differ.
    title: fc.constantFrom('About', 'Aboutness', 'Something else'),
  })
  .map(({ name, version, title, ...rest }) =>
    makeServer(name, version, { ...rest, publishedAt: TIMES[0] ?? 0, body: { title } }),
  );

/** Entries of one source, no version twice. */
export const entries = (maxLength = 20): fc.Arbitrary<CatalogEntry[]> =>
  fc.uniqueArray(entry, { maxLength, selector: ({ name, version }) => `${name}@${version}` });

/** One to three sources that share names, each name with claims of its own in each. */
export const sources: fc.Arbitrary<PlainSource[]> = fc
  .array(fc.tuple(entries(), fc.array(fc.constantFrom(...CLAIMS), { minLength: 8, maxLength: 8 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((drawn) =>
    drawn.map(([own, claims], index) => ({
      source: `s${index}`,
      entries: own,
      claims: Object.fromEntries(NAMES.map((name, at) => [name, claims[at] ?? {}])),
    })),
  );
