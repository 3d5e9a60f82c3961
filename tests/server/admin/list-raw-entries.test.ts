import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  listRegistryEntries,
  listSourceEntries,
  type RawPage,
} from '../../../server/admin/list-raw-entries.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import type { EntryType } from '../../../sources/model/entry.ts';
import { proves } from '../../requirements/proves.ts';
import { openStore } from '../overlay/temporary-store.ts';

type Place = readonly [source: string, type: EntryType, name: string, version?: string];

async function publishAll(places: readonly Place[]): Promise<Overlay> {
  const overlay = await Overlay.open(await openStore(), { now: () => 1000 });
  for (const [source, type, name, version = '1.0.0'] of places) {
    const body = { name, version, title: `T ${name}`, description: 'about' };
    await overlay.publish(
      source,
      { type, name, version, body, status: 'active', tags: [], tools: [] },
      { org: source, team: ['x', 'y'] },
    );
  }
  return overlay;
}

const query = (values: Record<string, string>) => new Map(Object.entries(values));

/** Every entry, page by page, as `type name source`. */
function walk(list: (values: Record<string, string>) => RawPage, limit: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 50; page++) {
    const { entries, metadata } = list({ limit: String(limit), ...(cursor ? { cursor } : {}) });
    expect(metadata.count).toBe(entries.length);
    if (page > 0) expect(entries).not.toEqual([]);
    seen.push(...entries.map(({ type, name, source }) => `${type} ${name}${source ? ` ${source}` : ''}`));
    cursor = metadata.nextCursor;
    if (!cursor) return seen;
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  }
  throw new Error('the walk does not end');
}

const PLACES: Place[] = [
  ['a', 'skill', 'io.x/m'],
  ['a', 'server', 'io.x/z'],
  ['a', 'server', 'io.x/m', '1.0.0'],
  ['a', 'server', 'io.x/m', '2.0.0'],
  ['b', 'server', 'io.x/m'],
  ['b', 'server', 'io.x/a'],
  ['b', 'skill', 'io.x/m'],
];

describe('listSourceEntries', () => {
  it(`${proves('C-6-22', 'S-4-19')} tells entries with claims, versions newest first and times`, async () => {
    const overlay = await publishAll(PLACES);
    await overlay.setStatus({ source: 'a', type: 'server', name: 'io.x/m' }, '2.0.0', { status: 'deleted' });
    const page = listSourceEntries('a', overlay.segmentOf('a'), query({ limit: '1' }), 100);
    const times = { createdAt: '1970-01-01T00:00:01.000Z' };
    expect(page.entries).toEqual([
      {
        type: 'server',
        name: 'io.x/m',
        claims: { org: 'a', team: ['x', 'y'] },
        versions: [
          {
            version: '2.0.0',
            status: 'deleted',
            title: 'T io.x/m',
            description: 'about',
            ...times,
            updatedAt: '1970-01-01T00:00:01.001Z',
          },
          {
            version: '1.0.0',
            status: 'active',
            title: 'T io.x/m',
            description: 'about',
            ...times,
            updatedAt: '1970-01-01T00:00:01.000Z',
          },
        ],
      },
    ]);
  });

  it(`${proves('C-6-23', 'S-4-19')} walks in order of type and name whatever the page size`, async () => {
    const overlay = await publishAll(PLACES);
    for (const limit of [1, 2, 3, 100]) {
      const seen = walk(
        (values) => listSourceEntries('a', overlay.segmentOf('a'), query(values), 100),
        limit,
      );
      expect(seen).toEqual(['server io.x/m', 'server io.x/z', 'skill io.x/m']);
    }
  });

  it('gives an empty page for a source that has nothing yet', () => {
    expect(listSourceEntries('a', undefined, query({}), 100)).toEqual({
      entries: [],
      metadata: { count: 0 },
    });
  });

  it('gives every old entry once while others come and go', async () => {
    const overlay = await publishAll(PLACES);
    let page = 0;
    const list = (values: Record<string, string>) =>
      listSourceEntries('a', overlay.segmentOf('a'), query(values), 100);
    const first = list({ limit: '1' });
    for (const name of ['io.x/a', 'io.x/n', 'io.x/zz']) {
      page++;
      await overlay.publish(
        'a',
        { type: 'server', name, version: '1.0.0', body: { name }, status: 'active', tags: [], tools: [] },
        {},
      );
    }
    await overlay.deleteVersion({ source: 'a', type: 'server', name: 'io.x/m' }, '1.0.0');
    await overlay.deleteVersion({ source: 'a', type: 'server', name: 'io.x/m' }, '2.0.0');
    const rest = list({ cursor: first.metadata.nextCursor ?? '' });
    expect(page).toBe(3);
    expect(rest.entries.map(({ name }) => name)).toEqual(['io.x/n', 'io.x/z', 'io.x/zz', 'io.x/m']);
  });

  const crafted = (payload: string) =>
    Buffer.from(hash('sha256', payload, 'base64url').slice(0, 8) + payload).toString('base64url');
  for (const cursor of [
    'junk',
    'a+b/',
    '%',
    crafted('not json'),
    crafted('["source a","widget","x",0]'),
    crafted('["source a","server","x",-1]'),
  ]) {
    it(`refuses the cursor ${cursor.slice(0, 24)}`, async () => {
      const overlay = await publishAll([]);
      expect(() => listSourceEntries('a', overlay.segmentOf('a'), query({ cursor }), 100)).toThrow(
        expect.objectContaining({ status: 400, code: 'cursor_invalid' }),
      );
    });
  }

  it('refuses a cursor of another list and a limit out of range', async () => {
    const overlay = await publishAll(PLACES);
    const { nextCursor = '' } = listSourceEntries(
      'a',
      overlay.segmentOf('a'),
      query({ limit: '1' }),
      100,
    ).metadata;
    expect(() => listSourceEntries('b', overlay.segmentOf('b'), query({ cursor: nextCursor }), 100)).toThrow(
      expect.objectContaining({ code: 'cursor_invalid' }),
    );
    for (const limit of ['0', '-1', 'x', '101']) {
      expect(() => listSourceEntries('a', overlay.segmentOf('a'), query({ limit }), 100)).toThrow(
        expect.objectContaining({ status: 400, code: 'limit_invalid' }),
      );
    }
  });
});

describe('listRegistryEntries', () => {
  it(`${proves('C-6-33', 'S-4-21')} lists what all sources have, before shadowing, earlier sources first`, async () => {
    const overlay = await publishAll(PLACES);
    const segments = [overlay.segmentOf('b'), overlay.segmentOf('a')];
    for (const limit of [1, 2, 3, 100]) {
      expect(walk((values) => listRegistryEntries('all', segments, query(values), 100), limit)).toEqual([
        'server io.x/a b',
        'server io.x/m b',
        'server io.x/m a',
        'server io.x/z a',
        'skill io.x/m b',
        'skill io.x/m a',
      ]);
    }
    const { entries } = listRegistryEntries('all', segments, query({}), 100);
    expect(entries.map(({ position }) => position)).toEqual([0, 0, 1, 1, 0, 1]);
  });
});
