import { describe, expect, it } from 'vitest';
import type { EntryKey, ImportingStore, StoredVersion } from '../../../server/overlay/overlay-store.ts';

const KEY: EntryKey = { source: 'main', type: 'server', name: 'io.example/one' };
const CLAIMS = { org: 'acme', team: ['b', 'a'] };

export function makeStored(version: string, extra: Partial<StoredVersion> = {}): StoredVersion {
  return {
    version,
    body: JSON.stringify({ name: KEY.name, version }),
    tags: ['x', 'y'],
    tools: [],
    status: 'active',
    publishedAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
    statusChangedAt: 1_700_000_000_002,
    ...extra,
  };
}

/**
 * What every store must do, whatever is behind it.
 * @param open a new empty store, closed by whoever opened it
 */
export function describeStore(title: string, open: () => Promise<ImportingStore>): void {
  describe(title, () => {
    it('gives back what was stored, all columns', async () => {
      const store = await open();
      const full = makeStored('1.0.0', {
        status: 'deprecated',
        statusMessage: 'über',
        tags: ['a,b', '"'],
        tools: ['t'],
      });
      expect(await store.insertVersion(KEY, full, CLAIMS)).toBe('stored');
      expect(await store.insertVersion(KEY, makeStored('2.0.0'), CLAIMS)).toBe('stored');
      const entry = await store.readEntry(KEY);
      expect(entry).toMatchObject({ ...KEY, claims: CLAIMS, claimsChangedAt: full.publishedAt });
      expect(entry?.versions).toHaveLength(2);
      expect(entry?.versions).toEqual(expect.arrayContaining([full, makeStored('2.0.0')]));
      expect(await store.loadEntries()).toEqual([entry]);
    });

    it('refuses a version that is there, and other claims, before that', async () => {
      const store = await open();
      await store.insertVersion(KEY, makeStored('1.0.0'), CLAIMS);
      expect(
        await store.insertVersion(KEY, makeStored('1.0.0'), { team: ['a', 'b', 'a'], org: ['acme'] }),
      ).toBe('version_exists');
      expect(await store.insertVersion(KEY, makeStored('1.0.0'), { org: 'acme' })).toBe('claims_differ');
      expect(await store.insertVersion(KEY, makeStored('2.0.0'), {})).toBe('claims_differ');
      expect((await store.readEntry(KEY))?.versions).toHaveLength(1);
    });

    it('tells types, sources and names apart', async () => {
      const store = await open();
      const keys: EntryKey[] = [
        KEY,
        { ...KEY, type: 'skill' },
        { ...KEY, source: 'other' },
        { ...KEY, name: 'io.example/On' },
      ];
      for (const key of keys) expect(await store.insertVersion(key, makeStored('1.0.0'), {})).toBe('stored');
      expect(await store.loadEntries()).toHaveLength(4);
      expect(await store.deleteEntries('main')).toBe(3);
      expect(await store.loadEntries()).toMatchObject([{ source: 'other' }]);
      expect(await store.readEntry(KEY)).toBeUndefined();
    });

    it('drops an entry, and its claims, with its last version', async () => {
      const store = await open();
      await store.insertVersion(KEY, makeStored('1.0.0'), CLAIMS);
      await store.insertVersion(KEY, makeStored('2.0.0'), CLAIMS);
      expect(await store.deleteVersion(KEY, '1.0.0')).toBe(true);
      expect(await store.deleteVersion(KEY, '1.0.0')).toBe(false);
      expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('claims_differ');
      expect(await store.deleteVersion(KEY, '2.0.0')).toBe(true);
      expect(await store.insertVersion(KEY, makeStored('1.0.0'), {})).toBe('stored');
    });

    it('changes status and message, and takes a message away', async () => {
      const store = await open();
      await store.insertVersion(KEY, makeStored('1.0.0'), CLAIMS);
      expect(
        await store.updateStatus(KEY, '1.0.0', { status: 'deleted', statusMessage: 'gone', at: 5 }),
      ).toBe(true);
      expect((await store.readEntry(KEY))?.versions[0]).toEqual(
        makeStored('1.0.0', { status: 'deleted', statusMessage: 'gone', updatedAt: 5, statusChangedAt: 5 }),
      );
      await store.updateStatus(KEY, '1.0.0', { status: 'active', statusMessage: undefined, at: 6 });
      expect((await store.readEntry(KEY))?.versions[0]).not.toHaveProperty('statusMessage');
      expect(
        await store.updateStatus(KEY, '9.9.9', { status: 'active', statusMessage: undefined, at: 6 }),
      ).toBe(false);
    });

    it('replaces claims for all versions', async () => {
      const store = await open();
      await store.insertVersion(KEY, makeStored('1.0.0'), CLAIMS);
      expect(await store.replaceClaims(KEY, { claims: {}, claimsChangedAt: 9 })).toBe(true);
      expect(await store.readEntry(KEY)).toMatchObject({ claims: {}, claimsChangedAt: 9 });
      expect(
        await store.replaceClaims({ ...KEY, name: 'io.example/none' }, { claims: {}, claimsChangedAt: 9 }),
      ).toBe(false);
    });

    it('keeps records by kind and name', async () => {
      const store = await open();
      await store.putRecord('source', 'b', '1');
      await store.putRecord('source', 'a', '2');
      await store.putRecord('registry', 'a', '3');
      await store.putRecord('source', 'b', '4');
      expect(await store.listRecords('source')).toEqual([
        { kind: 'source', name: 'a', json: '2' },
        { kind: 'source', name: 'b', json: '4' },
      ]);
      expect(await store.deleteRecord('source', 'a')).toBe(true);
      expect(await store.deleteRecord('source', 'a')).toBe(false);
      expect(await store.listRecords('registry')).toHaveLength(1);
    });

    it('takes an entry over with all its versions and times, once', async () => {
      const store = await open();
      const entry = {
        ...KEY,
        claims: CLAIMS,
        claimsChangedAt: 77,
        versions: [makeStored('1.0.0', { status: 'deleted', statusMessage: 'gone' }), makeStored('2.0.0')],
      };
      expect(await store.importEntry(entry)).toEqual({ outcome: 'stored' });
      expect(await store.importEntry(entry)).toEqual({ outcome: 'unchanged' });
      const kept = await store.readEntry(KEY);
      expect(kept).toEqual({ ...entry, versions: expect.arrayContaining([...entry.versions]) });
      expect(kept?.versions).toHaveLength(2);
      const more = { ...entry, claims: { team: ['a', 'b'], org: 'acme' }, claimsChangedAt: 99 };
      expect(await store.importEntry({ ...more, versions: [makeStored('3.0.0')] })).toEqual({
        outcome: 'stored',
      });
      expect(await store.readEntry(KEY)).toMatchObject({ claims: CLAIMS, claimsChangedAt: 77 });
      expect((await store.readEntry(KEY))?.versions).toHaveLength(3);
    });

    it('takes nothing of an entry over that contradicts what is there', async () => {
      const store = await open();
      await store.insertVersion(KEY, makeStored('2.0.0'), CLAIMS);
      const before = await store.loadEntries();
      const entry = { ...KEY, claims: CLAIMS, claimsChangedAt: 1 };
      const versions = [
        makeStored('1.0.0'),
        makeStored('2.0.0', { body: '{"other":1}' }),
        makeStored('3.0.0'),
      ];
      expect(await store.importEntry({ ...entry, versions })).toEqual({
        outcome: 'version_differs',
        version: '2.0.0',
      });
      expect(await store.importEntry({ ...entry, claims: {}, versions: [makeStored('1.0.0')] })).toEqual({
        outcome: 'claims_differ',
      });
      expect(await store.loadEntries()).toEqual(before);
    });

    it('creates a record only when there is none', async () => {
      const store = await open();
      expect(await store.insertRecord('source', 'a', '1')).toBe(true);
      expect(await store.insertRecord('source', 'a', '2')).toBe(false);
      expect(await store.listRecords('source')).toEqual([{ kind: 'source', name: 'a', json: '1' }]);
    });

    it('answers reads that are asked for at once', async () => {
      const store = await open();
      const names = Array.from({ length: 20 }, (_, index) => `io.example/n${index}`);
      for (const name of names) {
        await store.insertVersion({ ...KEY, name }, makeStored('1.0.0'), {});
        await store.putRecord('source', name, '1');
      }
      const read = await Promise.all(names.map((name) => store.readEntry({ ...KEY, name })));
      expect(read.map((entry) => entry?.name)).toEqual(names);
      const lists = await Promise.all(names.map(() => store.listRecords('source')));
      for (const list of lists) expect(list).toHaveLength(names.length);
    });

    it('lets exactly one of many concurrent inserts of a version win', async () => {
      const store = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => store.insertVersion(KEY, makeStored('1.0.0'), {})),
      );
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'version_exists')).toHaveLength(99);
    });

    it('answers a probe while it is well', async () => {
      await expect((await open()).probe()).resolves.toBeUndefined();
    });
  });
}
