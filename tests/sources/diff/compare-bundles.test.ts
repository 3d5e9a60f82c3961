import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBundles } from '../../../sources/diff/compare-bundles.ts';
import { proves } from '../../requirements/proves.ts';
import { makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';
import { openEntries } from '../../support/make-world.ts';

describe('compareBundles', () => {
  it(`${proves('C-1-19')} tells entries and versions that were added, removed and changed`, async () => {
    const before = await openEntries([
      makeServer('io.x/gone'),
      makeServer('io.x/grows', '1.0.0'),
      makeServer('io.x/same'),
      makeServer('io.x/shrinks', '1.0.0'),
      makeServer('io.x/shrinks', '2.0.0'),
      makeServer('io.x/turns', '1.0.0', { body: { title: 'Old' } }),
    ]);
    const after = await openEntries([
      makeServer('io.x/grows', '1.0.0'),
      makeServer('io.x/grows', '1.10.0'),
      makeServer('io.x/grows', '1.9.0'),
      makeServer('io.x/new'),
      makeServer('io.x/same'),
      makeServer('io.x/shrinks', '2.0.0'),
      makeServer('io.x/turns', '1.0.0', { body: { title: 'New', websiteUrl: 'https://x.example' } }),
    ]);
    const server = { source: 's', type: 'server' };
    expect(compareBundles('s', before, after)).toEqual([
      {
        ...server,
        name: 'io.x/gone',
        change: 'removed',
        versions: [{ version: '1.0.0', change: 'removed' }],
      },
      {
        ...server,
        name: 'io.x/grows',
        change: 'changed',
        versions: [
          { version: '1.10.0', change: 'added' },
          { version: '1.9.0', change: 'added' },
        ],
      },
      { ...server, name: 'io.x/new', change: 'added', versions: [{ version: '1.0.0', change: 'added' }] },
      {
        ...server,
        name: 'io.x/shrinks',
        change: 'changed',
        versions: [{ version: '1.0.0', change: 'removed' }],
      },
      {
        ...server,
        name: 'io.x/turns',
        change: 'changed',
        versions: [{ version: '1.0.0', change: 'changed', members: ['title', 'websiteUrl'] }],
      },
    ]);
  });

  it.each([
    ['status', { status: 'deprecated' as const }, ['status']],
    ['message', { status: 'active' as const, statusMessage: 'soon gone' }, ['statusMessage']],
    ['_meta of the listing', { vendorMeta: { 'dev.x/y': 1 } }, ['_meta of the listing']],
  ])('names the %s that differs', async (_what, extras, members) => {
    const before = await openEntries([makeServer('io.x/one')]);
    const after = await openEntries([makeServer('io.x/one', '1.0.0', extras)]);
    expect(compareBundles('s', before, after)[0]?.versions[0]?.members).toEqual(members);
  });

  it('sees files of skills that differ', async () => {
    const skill = (text: string) =>
      makeSkill('ns/pdf', '1.0.0', { files: [makeFile('SKILL.md', 'same'), makeFile('run.sh', text)] });
    const [change] = compareBundles('s', await openEntries([skill('a')]), await openEntries([skill('b')]));
    expect(change).toMatchObject({ type: 'skill', name: 'ns/pdf', versions: [{ members: ['files'] }] });
  });

  it('takes another order of members, and dates that are given here, for no difference', async () => {
    const one = makeServer('io.x/one', '1.0.0', { body: { remotes: [{ type: 'sse', url: 'https://x' }] } });
    const other = makeServer('io.x/one', '1.0.0', { body: { remotes: [{ url: 'https://x', type: 'sse' }] } });
    const [early, late] = [
      await openEntries([one], 0),
      await openEntries([other, makeServer('io.x/two')], 1e12),
    ];
    expect(compareBundles('s', early, late).map(({ name }) => name)).toEqual(['io.x/two']);
  });

  it('takes a source that is new or gone for all its entries', async () => {
    const bundle = await openEntries([makeServer('io.x/one'), makeSkill('ns/pdf')]);
    const changes = (list: ReturnType<typeof compareBundles>) =>
      list.map(({ type, change }) => `${type} ${change}`);
    expect(changes(compareBundles('s', undefined, bundle))).toEqual(['server added', 'skill added']);
    expect(changes(compareBundles('s', bundle, undefined))).toEqual(['server removed', 'skill removed']);
  });

  it('gives the mirror image when the sides are exchanged', async () => {
    const catalog = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('io.x/a', 'io.x/b', 'io.x/c'),
        version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0-rc.1', 'old'),
        title: fc.constantFrom('x', 'y'),
      }),
      { selector: ({ name, version }) => `${name}@${version}`, maxLength: 8 },
    );
    const mirror = { added: 'removed', removed: 'added', changed: 'changed' } as const;
    await fc.assert(
      fc.asyncProperty(catalog, catalog, async (left, right) => {
        const open = (items: typeof left) =>
          openEntries(
            items.map(({ name, version, title }) => makeServer(name, version, { body: { title } })),
          );
        const [a, b] = [await open(left), await open(right)];
        const back = compareBundles('s', b, a).map((entry) => ({
          ...entry,
          change: mirror[entry.change],
          versions: entry.versions.map((version) => ({ ...version, change: mirror[version.change] })),
        }));
        expect(back).toEqual(compareBundles('s', a, b));
        const key = (items: typeof left) =>
          new Set(items.map((item) => `${item.name}@${item.version} ${item.title}`));
        const same = key(left).size === key(right).size && [...key(left)].every((one) => key(right).has(one));
        expect(back.length === 0).toBe(same);
      }),
      { numRuns: 60 },
    );
  });
});
