import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Overlay } from '../../../server/overlay/overlay.ts';
import type { World } from '../../../server/view/world.ts';
import type { Claims } from '../../../sources/model/claims.ts';
import { startBench } from '../../support/consumer-bench.ts';
import { ForgetfulStore } from '../../support/forgetful-store.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const NAMES = ['a.a/1', 'b.b/2', 'c.c/3', 'd.d/4', 'e.e/5', 'f.f/6'];
const VERSIONS = ['1.0.0', '2.0.0'];
const CLAIMS: readonly Claims[] = [{ org: 'acme' }, { org: 'acme', team: 'data' }, { team: 'ops' }];
const CALLERS = {
  everybody: makeIdentity({ org: 'acme' }),
  data: makeIdentity({ org: 'acme', team: 'data' }),
  ops: makeIdentity({ org: 'acme', team: ['data', 'ops'] }),
};
const LIST = '/registry/all/v0.1/servers';
const TARGETS = [
  LIST,
  ...[
    'limit=1',
    'limit=2',
    'limit=2&version=latest',
    'tag=blue&limit=1',
    'search=about',
    'status=deprecated',
  ].map((query) => `${LIST}?${query}`),
  ...['source=main&limit=1', 'include_deleted=true', 'updated_since=2026-01-02T00:00:00Z'].map(
    (query) => `${LIST}?${query}`,
  ),
  ...NAMES.flatMap((name) => {
    const versions = `${LIST}/${encodeURIComponent(name)}/versions`;
    return [versions, `${versions}/latest`, `${versions}/1.0.0`];
  }),
  '/registry/all/v0.1/x/dev.toolhive/skills',
];

/** A managed source in front of files that hold some of the same names. */
async function startWorld() {
  const files = await makeSegment(
    'files',
    ['b.b/2', 'd.d/4', 'g.g/7'].map((name) => makeServer(name, '1.0.0', { tags: ['blue'] })),
    { org: 'acme' },
  );
  const clock = { now: Date.parse('2026-02-01T00:00:00Z') };
  const overlay = await Overlay.open(new ForgetfulStore([]), { now: () => clock.now });
  const current: { world: World } = {
    world: makeWorld({
      all: { segments: [overlay.segmentOf('main'), files], claims: { org: 'acme' } },
    }),
  };
  overlay.onChange = (_source, segment) => {
    current.world = current.world.withSegment(segment);
  };
  return { overlay, current, clock };
}

interface Step {
  readonly what: 'publish' | 'delete' | 'status' | 'claims';
  readonly name: string;
  readonly version: string;
  readonly claims: Claims;
  readonly tag: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('publish', 'publish', 'publish', 'delete', 'status', 'claims'),
  name: fc.constantFrom(...NAMES),
  version: fc.constantFrom(...VERSIONS),
  claims: fc.constantFrom(...CLAIMS),
  tag: fc.constantFrom('blue', 'red'),
});

/** What is refused changes nothing. */
async function apply(overlay: Overlay, { what, name, version, claims, tag }: Step): Promise<void> {
  const key = { source: 'main', type: 'server', name } as const;
  const body = { name, version, description: `About ${name}` };
  const entry = { type: 'server', name, version, body, status: 'active', tags: [tag], tools: [] } as const;
  const changes = {
    publish: () => overlay.publish('main', entry, claims),
    delete: () => overlay.deleteVersion(key, version),
    status: () => overlay.setStatus(key, version, { status: tag === 'blue' ? 'deprecated' : 'deleted' }),
    claims: () => overlay.replaceClaims(key, claims),
  };
  await changes[what]().catch(() => undefined);
}

describe('pages that are kept over changes', () => {
  it('are what would be rendered anew, for every caller, after each of many changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { overlay, current, clock } = await startWorld();
        const keeping = await startBench(current.world, { callers: CALLERS });
        for (const one of steps) {
          clock.now += 1000;
          await apply(overlay, one);
          keeping.world = current.world;
          const fresh = await startBench(current.world, { callers: CALLERS });
          for (const as of Object.keys(CALLERS)) {
            expect((await keeping.ask(LIST, { as })).status).toBe(200);
            for (const target of TARGETS) {
              const [kept, anew] = [await keeping.ask(target, { as }), await fresh.ask(target, { as })];
              const tell = ({ status, headers, body }: typeof kept) => [
                status,
                headers.etag,
                status === 200 ? body.toString() : '',
              ];
              expect([target, as, ...tell(kept)]).toEqual([target, as, ...tell(anew)]);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('are those the change does not touch, and no others', async () => {
    const { overlay, current, clock } = await startWorld();
    const bench = await startBench(current.world, { callers: CALLERS });
    const modified = async (target: string) => {
      bench.world = current.world;
      return Date.parse((await bench.ask(target, { as: 'everybody' })).headers['last-modified'] ?? '');
    };
    const publish = async (name: string) => {
      clock.now += 60_000;
      await apply(overlay, { what: 'publish', name, version: '1.0.0', claims: { org: 'acme' }, tag: 'red' });
    };
    const detail = (name: string) => `${LIST}/${encodeURIComponent(name)}/versions/latest`;
    await publish('a.a/1');
    const first = clock.now;
    const targets = [`${LIST}?limit=1`, LIST, `${LIST}?search=about`, detail('a.a/1'), detail('b.b/2')];
    for (const target of targets) expect(await modified(target)).toBe(first);
    await publish('f.f/6');
    expect(await Promise.all(targets.map(modified))).toEqual([first, clock.now, clock.now, first, first]);
    // The entry behind the page is why it has a next one.
    await publish('b.b/2');
    expect(await modified(`${LIST}?limit=1`)).toBe(clock.now);
    expect(await modified(detail('b.b/2'))).toBe(clock.now);
    expect(await modified(detail('a.a/1'))).toBe(first);
  });

  it('are forgotten when more changed than is known', async () => {
    const { overlay, current, clock } = await startWorld();
    const bench = await startBench(current.world, { callers: CALLERS });
    const target = `${LIST}?limit=1`;
    const ask = async () =>
      Date.parse((await bench.ask(target, { as: 'everybody' })).headers['last-modified'] ?? '');
    await apply(overlay, {
      what: 'publish',
      name: 'a.a/1',
      version: '1.0.0',
      claims: { org: 'acme' },
      tag: 'red',
    });
    bench.world = current.world;
    const first = await ask();
    for (let number = 0; number < 1100; number++) {
      clock.now += 1000;
      const name = `z.z/${number}`;
      await apply(overlay, { what: 'publish', name, version: '1.0.0', claims: { org: 'acme' }, tag: 'red' });
    }
    bench.world = current.world;
    expect(await ask()).toBeGreaterThan(first);
  });
});
