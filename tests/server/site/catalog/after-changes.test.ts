import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Overlay } from '../../../../server/overlay/overlay.ts';
import { createCatalogReader } from '../../../../server/site/catalog/create-catalog-reader.ts';
import { World } from '../../../../server/view/world.ts';
import { BerthError } from '../../../../sources/errors.ts';
import { normalizeClaims } from '../../../../sources/model/claims.ts';
import { startBench } from '../../../support/consumer-bench.ts';
import { ForgetfulStore } from '../../../support/forgetful-store.ts';
import { makeServer } from '../../../support/make-entry.ts';
import { makeIdentity } from '../../../support/make-identity.ts';
import { makeSegment } from '../../../support/make-world.ts';
import { withOffer } from './bodies.ts';
import { listByApi, narrow, recount } from './recount.ts';
import { admitted, NO_FILTERS, walkPages } from './walk-pages.ts';

const GATE = { site: 'here' };
const CALLERS = {
  blue: makeIdentity({ ...GATE, org: 'acme', team: 'blue' }),
  red: makeIdentity({ ...GATE, org: 'acme', team: 'red' }),
};
const CLAIMS = [{ org: 'acme' }, { org: 'acme', team: 'blue' }, { team: 'red' }, { org: 'umbra' }];
const NAMES = ['a/a', 'a/b', 'b/c', 'z/z'];
const SOURCES = ['published', 'synced'];

const change = fc.record({
  what: fc.constantFrom('publish', 'publish', 'delete', 'status', 'claims', 'sync'),
  name: fc.constantFrom(...NAMES),
  version: fc.constantFrom('1.0.0', '2.0.0', '2.1.0-rc.1'),
  offer: fc.nat(4),
  tags: fc.subarray(['data', 'web']),
  claims: fc.constantFrom(...CLAIMS),
  status: fc.constantFrom('active' as const, 'deprecated' as const, 'deleted' as const),
  /** Whether somebody looks before the next change. */
  looks: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function openWorld() {
  const overlay = await Overlay.open(new ForgetfulStore([]), { now: () => Date.UTC(2026, 1, 1) });
  const plan = { name: 'main', description: undefined, claims: normalizeClaims(GATE), sources: SOURCES };
  const segments = new Map([['published', overlay.segmentOf('published')]]);
  const bench = await startBench(World.build([plan], segments), { callers: CALLERS });
  overlay.onChange = (_source, segment) => {
    bench.world = bench.world.withSegment(segment);
  };
  return { overlay, bench };
}

/** Makes a change; one that is refused changes nothing. */
async function apply({ overlay, bench }: Awaited<ReturnType<typeof openWorld>>, one: Change): Promise<void> {
  const { what, name, version, tags, claims, status } = one;
  const key = { source: 'published', type: 'server', name } as const;
  const entry = withOffer(makeServer(name, version, { tags }), one.offer);
  try {
    if (what === 'publish') await overlay.publish('published', entry, overlay.readClaims(key) ?? claims);
    if (what === 'delete') await overlay.deleteVersion(key, version);
    if (what === 'status') await overlay.setStatus(key, version, { status });
    if (what === 'claims') await overlay.replaceClaims(key, claims);
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
  }
  if (what === 'sync') bench.world = bench.world.withSegment(await makeSegment('synced', [entry], claims));
}

describe('createCatalogReader over sources that change', () => {
  it('shows and counts after each change what the API lists then', async () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 25 });
    const property = fc.asyncProperty(changes, async (all) => {
      const opened = await openWorld();
      const { bench } = opened;
      for (const [index, one] of all.entries()) {
        await apply(opened, one);
        if (!one.looks && index < all.length - 1) continue;
        for (const as of ['blue', 'red'] as const) {
          const listed = await listByApi(bench, as, '');
          const reader = createCatalogReader({
            world: () => bench.world,
            identity: CALLERS[as],
            baseUrl: '',
          });
          const cards = walkPages(reader, 'main', {}, 2);
          expect(cards.map(({ name, version, tags }) => ({ name, version, tags: [...tags].sort() }))).toEqual(
            listed.map(({ name, version, tags }) => ({ name, version, tags: [...tags].sort() })),
          );
          const filtered = walkPages(reader, 'main', { tag: 'data', package: 'npm' }, 2);
          expect(filtered.map(({ name }) => name)).toEqual(
            narrow(listed, { package: 'npm' })
              .filter(({ tags }) => tags.includes('data'))
              .map(({ name }) => name),
          );
          const { facets, total } = admitted(reader.listEntries('main', NO_FILTERS));
          expect(total).toBe(listed.length);
          for (const member of ['tags', 'transports', 'packages'] as const)
            expect(Object.fromEntries(facets[member].map(({ value, count }) => [value, count]))).toEqual(
              recount(listed, member),
            );
        }
      }
    });
    await fc.assert(property, { numRuns: 150 });
  });
});
