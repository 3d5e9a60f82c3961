import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { compileBundle } from '../../../sources/bundle/compile-bundle.ts';
import { hashBundle, unpackBundle } from '../../../sources/bundle/format.ts';
import { openBundle } from '../../../sources/bundle/open-bundle.ts';
import type { CatalogEntry } from '../../../sources/model/entry.ts';
import { proves } from '../../requirements/proves.ts';
import { makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';
import { openEntries, SEEN } from '../../support/make-world.ts';

const name = fc.constantFrom('a/a', 'a/b', 'b/a', 'b/b');
const version = fc.constantFrom('1.0.0', '1.2.0', '2.0.0-rc.1', 'nightly');
const extras = fc.record({
  tags: fc.subarray(['data', 'web', 'ünï']),
  tools: fc.subarray(['list_all', 'fetchOne']),
  status: fc.constantFrom('active' as const, 'deprecated' as const, 'deleted' as const),
  body: fc.dictionary(fc.constantFrom('title', 'x', 'y'), fc.jsonValue({ maxDepth: 2 })),
});
const entry: fc.Arbitrary<CatalogEntry> = fc.oneof(
  fc.tuple(name, version, extras).map(([n, v, more]) => makeServer(n, v, more)),
  fc
    .tuple(name, version, extras, fc.string())
    .map(([n, v, more, text]) =>
      makeSkill(n, v, { ...more, files: [makeFile('SKILL.md', text), makeFile('b', n)] }),
    ),
);
const entries = fc.uniqueArray(entry, {
  maxLength: 12,
  selector: (one) => `${one.type} ${one.name}@${one.version}`,
});

async function hashOf(list: readonly CatalogEntry[]): Promise<string> {
  return hashBundle(await compileBundle({ entries: list, rejected: [] }));
}

describe('compileBundle', () => {
  it(`${proves('C-4-01')} gives the same bytes for the same entries, however they came together`, async () => {
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    const property = fc.asyncProperty(shuffled, async ([list, other]) => {
      const first = await compileBundle({ entries: list, rejected: [] });
      const again = await compileBundle({ entries: structuredClone(other), rejected: [] });
      expect(again.equals(first)).toBe(true);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it(`${proves('C-4-01')} gives another hash when anything of any entry is another`, async () => {
    const one = makeSkill('a/a', '1.0.0', { files: [makeFile('SKILL.md', 'x'), makeFile('b', 'y')] });
    const changes: Partial<CatalogEntry>[] = [
      { name: 'a/aa' },
      { version: '1.0.1' },
      { status: 'deprecated' },
      { statusMessage: 'why' },
      { publishedAt: 1 },
      { updatedAt: 1 },
      { statusChangedAt: 1 },
      { tags: ['t'] },
      { tools: ['t'] },
      { vendorMeta: { x: 1 } },
      { body: { ...one.body, title: 'T' } },
      { type: 'server' },
      { files: [makeFile('SKILL.md', 'x'), makeFile('b', 'z')] },
      { files: [makeFile('SKILL.md', 'x'), makeFile('c', 'y')] },
      { files: [makeFile('SKILL.md', 'x')] },
    ];
    const hashes = await Promise.all(
      [one, ...changes.map((change) => ({ ...one, ...change }))].map((e) => hashOf([e])),
    );
    expect(new Set(hashes).size).toBe(changes.length + 1);
    expect(await hashOf([one, makeServer('b/b')])).not.toBe(hashes[0]);
    const rejected = [{ file: 'a', line: 1, reason: 'r' }];
    expect(hashBundle(await compileBundle({ entries: [one], rejected }))).not.toBe(hashes[0]);
  });

  it('gives back every entry: names in order, versions newest first, bodies as they were', async () => {
    const property = fc.asyncProperty(entries, async (list) => {
      const opened = await openEntries(list);
      for (const table of [opened.servers, opened.skills]) {
        const own = list.filter((one) => one.type === table.type);
        expect(table.rowCount).toBe(own.length);
        const names = Array.from({ length: table.nameCount }, (_, index) => table.nameAt(index));
        expect(names).toEqual([...new Set(own.map((one) => one.name))].sort());
        for (const one of own) {
          const row = table.rowsOf(table.find(one.name)).find((at) => table.versionOf(at) === one.version);
          if (row === undefined) throw new Error(`${one.name}@${one.version} is missing`);
          expect(table.statusOf(row)).toBe(one.status);
          const body = table.type === 'skill' ? { ...one.body, status: one.status } : one.body;
          expect(JSON.parse(table.bodyOf(row))).toEqual(JSON.parse(JSON.stringify(body)));
          for (const tag of ['data', 'web', 'ünï'])
            expect(table.hasTag(row, tag)).toBe(one.tags.includes(tag));
        }
        expect([table.find('zz/zz'), table.find('')]).toEqual([-1, -1]);
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('holds an empty catalog', async () => {
    const opened = await openEntries([]);
    expect([opened.servers.nameCount, opened.skills.rowCount, opened.lastModified]).toEqual([0, 0, 0]);
    expect(opened.servers.search('x')).toEqual([]);
  });
});

describe('openBundle', () => {
  it(`${proves('C-4-07')} opens and lists without parsing or making the JSON of an entry`, async () => {
    const list = Array.from({ length: 50 }, (_, i) =>
      makeServer(`a/n${i}`, '1.0.0', { body: { title: 'Sentinel' } }),
    );
    const bytes = await compileBundle({ entries: list, rejected: [] });
    const parse = vi.spyOn(JSON, 'parse');
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => {
      parse.mockRestore();
      stringify.mockRestore();
    });
    const { servers } = openBundle(bytes, hashBundle(bytes), undefined, SEEN);
    const written = servers.writeItem(servers.find('a/n7'), true).map(String).join('');
    const parsed = parse.mock.calls.map(([text]) => text);
    const made = stringify.mock.calls.length;
    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.filter((text) => text.includes('Sentinel'))).toEqual([]);
    expect(made).toBe(0);
    expect(written).toContain('"title":"Sentinel"');
  });

  it('refuses what is no bundle, cut off or of another format', async () => {
    const bytes = await compileBundle({ entries: [makeServer('a/a')], rejected: [] });
    const other = Buffer.from(bytes);
    other.set(Buffer.from('"format":9'), other.indexOf('"format":1'));
    for (const bad of [Buffer.alloc(0), Buffer.from('{}'), bytes.subarray(0, 40), other]) {
      expect(() => unpackBundle(bad)).toThrow(expect.objectContaining({ code: 'bundle_unreadable' }));
    }
  });
});
