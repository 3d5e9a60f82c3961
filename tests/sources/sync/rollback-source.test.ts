import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { refreshSource } from '../../../sources/sync/refresh-source.ts';
import { rollbackSource } from '../../../sources/sync/rollback-source.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { catalogOf, makeJob, Upstream } from './sync-bench.ts';

/** A store in which a source had three catalogs, one after the other. */
async function start() {
  const upstream = new Upstream('');
  const dir = makeDirectory();
  const refresh = async (text: string) => {
    upstream.text = text;
    return (await refreshSource(makeJob(dir), upstream.fetch)).record;
  };
  const hashes: string[] = [];
  for (const name of ['a.a/1', 'a.a/2', 'a.a/3']) hashes.push((await refresh(catalogOf(name))).current);
  const [first = '', second = '', third = ''] = hashes;
  return { store: new BundleStore(join(dir, 'bundles')), refresh, first, second, third };
}

describe('rollbackSource', () => {
  it(`${proves('C-4-06')} makes the bundle before the current one current, again and again`, async () => {
    const { store, first, second, third } = await start();
    expect((await rollbackSource(store, 'team', undefined)).current).toBe(second);
    expect((await rollbackSource(store, 'team', undefined)).current).toBe(first);
    await expect(rollbackSource(store, 'team', undefined)).rejects.toMatchObject({ code: 'bundle_unknown' });
    const record = await store.readSource('team');
    expect([record?.current, record?.bundles.map((bundle) => bundle.hash)]).toEqual([
      first,
      [third, second, first],
    ]);
  });

  it(`${proves('C-4-06')} finds a bundle by the beginning of its hash, in any usual spelling`, async () => {
    const { store, first, third } = await start();
    for (const wanted of [first.slice(0, 12), `sha256:${first}`, first.toUpperCase()]) {
      expect((await rollbackSource(store, 'team', wanted)).current).toBe(first);
      expect((await rollbackSource(store, 'team', third)).current).toBe(third);
    }
    for (const unknown of ['', first.slice(0, 3), 'abcdef012345', `${first}0`]) {
      await expect(rollbackSource(store, 'team', unknown)).rejects.toMatchObject({ code: 'bundle_unknown' });
    }
    await expect(rollbackSource(store, 'nobody', undefined)).rejects.toMatchObject({
      code: 'bundle_unknown',
    });
  });

  it('lasts until the source itself changes', async () => {
    const { store, refresh, first, second } = await start();
    await rollbackSource(store, 'team', first);
    expect((await refresh(catalogOf('a.a/3'))).current).toBe(first);
    const record = await refresh(catalogOf('a.a/2'));
    expect(record.current).toBe(second);
  });

  it(`${proves('C-4-10')} does not make a tampered bundle current`, async () => {
    const { store, second, third } = await start();
    writeFileSync(join(store.dir, `team-${second}.bundle`), 'tampered');
    await expect(rollbackSource(store, 'team', second)).rejects.toMatchObject({ code: 'bundle_tampered' });
    expect((await store.readSource('team'))?.current).toBe(third);
  });
});
