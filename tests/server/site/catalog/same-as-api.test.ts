import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatalogReader } from '../../../../server/site/catalog/create-catalog-reader.ts';
import type { EntryFilters } from '../../../../server/site/catalog-reader.ts';
import type { World } from '../../../../server/view/world.ts';
import { withClasses } from '../../../support/classed-segment.ts';
import { startBench } from '../../../support/consumer-bench.ts';
import { makeAnonymous, makeIdentity } from '../../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../../support/make-world.ts';
import { NAMES, sources, TAGS, VERSIONS } from '../../view/arbitrary.ts';
import type { PlainSource } from '../../view/oracle.ts';
import { PACKAGES, TRANSPORTS, withOffer } from './bodies.ts';
import { listByApi, narrow, recount } from './recount.ts';
import { admitted, NO_FILTERS, walkPages } from './walk-pages.ts';

const GATE = { site: 'here' };
const CALLERS = {
  both: makeIdentity({ ...GATE, org: ['acme'], team: ['blue', 'green'] }),
  org: makeIdentity({ ...GATE, org: 'acme' }),
  red: makeIdentity({ ...GATE, org: 'acme', team: 'red' }),
  rival: makeIdentity({ ...GATE, org: 'umbra' }),
  nobody: makeIdentity(GATE),
  outsider: makeIdentity({ org: 'acme' }),
  everything: makeAnonymous(),
};
type Caller = keyof typeof CALLERS;

async function buildWorld(plain: readonly PlainSource[]): Promise<World> {
  const segments = await Promise.all(
    plain.map(async ({ source, entries, claims }) =>
      withClasses(await makeSegment(source, entries.map(withOffer)), (name) => claims[name] ?? {}),
    ),
  );
  return makeWorld({ main: { segments, claims: GATE } });
}

async function open(plain: readonly PlainSource[], who: Caller) {
  const world = await buildWorld(plain);
  const bench = await startBench(world, { callers: CALLERS });
  const reader = createCatalogReader({
    world: () => world,
    identity: CALLERS[who],
    baseUrl: 'https://mcp.example.com',
  });
  return { bench, reader };
}

const anyCaller = fc.constantFrom(...(Object.keys(CALLERS) as Caller[]));
const caller = anyCaller.filter((who) => who !== 'outsider');
const limit = fc.integer({ min: 1, max: 7 });
const optional = (values: readonly string[]) => fc.constantFrom(undefined, undefined, ...values);
const filters: fc.Arbitrary<Partial<EntryFilters>> = fc.record({
  q: fc.constantFrom('', '', 'about', ' a ', 'abuot'),
  tag: optional([...TAGS, 'unheard']),
  transport: optional(TRANSPORTS),
  package: optional(PACKAGES),
});

describe('createCatalogReader', () => {
  it('shows on all pages together what the API lists for the same caller, in its order', async () => {
    const property = fc.asyncProperty(sources, caller, filters, limit, async (plain, who, given, size) => {
      const { bench, reader } = await open(plain, who);
      const { q = '', tag } = given;
      const query = new URLSearchParams({ search: q, ...(tag === undefined ? {} : { tag }) });
      const listed = narrow(await listByApi(bench, who, query.toString()), given);
      const cards = walkPages(reader, 'main', given, size);
      expect(cards.map(({ name, version }) => `${name}@${version}`)).toEqual(
        listed.map(({ name, version }) => `${name}@${version}`),
      );
      const { total } = admitted(reader.listEntries('main', { ...NO_FILTERS, ...given }, size));
      expect([listed.length, ...(q === '' ? [] : [undefined])]).toContain(total);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('counts in its facets what the API lists, and nothing that is shadowed or invisible', async () => {
    const property = fc.asyncProperty(sources, caller, filters, async (plain, who, given) => {
      const { bench, reader } = await open(plain, who);
      const listed = await listByApi(bench, who, '');
      const page = admitted(reader.listEntries('main', { ...NO_FILTERS, ...given }));
      expect(page.registry.servers).toBe(listed.length);
      for (const member of ['tags', 'transports', 'packages'] as const) {
        const facets = page.facets[member];
        expect(Object.fromEntries(facets.map(({ value, count }) => [value, count]))).toEqual(
          recount(listed, member),
        );
        expect(facets.map(({ count }) => count)).toEqual(
          facets.map(({ count }) => count).sort((a, b) => b - a),
        );
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('reads and refuses each version as the API does', async () => {
    const property = fc.asyncProperty(sources, anyCaller, async (plain, who) => {
      const { bench, reader } = await open(plain, who);
      for (const name of NAMES)
        for (const version of [undefined, ...VERSIONS]) {
          const path = `${encodeURIComponent(name)}/versions/${version ?? 'latest'}`;
          const reply = await bench.ask(`/registry/main/v0.1/servers/${path}`, { as: who });
          const body = JSON.parse(reply.body.toString());
          const entry = reader.readEntry('main', 'server', name, version);
          if (entry.refused) {
            const { status, code, detail } = entry;
            expect({ status, code, detail }).toEqual({
              status: body.status,
              code: body.code,
              detail: body.detail,
            });
          } else {
            expect(reply.status).toBe(200);
            expect(JSON.parse(entry.json)).toEqual(body);
            expect(entry.json).toBe(JSON.stringify(body, undefined, 2));
            expect(entry.card.version).toBe(body.server.version);
          }
        }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
