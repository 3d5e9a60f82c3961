import { describe, expect, it, onTestFinished } from 'vitest';
import { ANYBODY } from '../../../server/auth/make-identity.ts';
import { HttpError } from '../../../server/http/problem.ts';
import { type OnOverlayChange, Overlay, type PublishedEntry } from '../../../server/overlay/overlay.ts';
import type { OverlaySegment } from '../../../server/overlay/overlay-segment.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { listEntries } from '../../../server/view/list-entries.ts';
import { World } from '../../../server/view/world.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDataDirectory, openStore } from './temporary-store.ts';

const KEY = { source: 'main', type: 'server', name: 'io.example/one' } as const;
const CLAIMS = { org: 'acme' };

function entry(version: string, extra: Partial<PublishedEntry> = {}): PublishedEntry {
  const name = extra.name ?? KEY.name;
  const body = { name, version, description: `About ${version}` };
  return { type: 'server', name, version, body, status: 'active', tags: [], tools: [], ...extra };
}

async function open(onChange: OnOverlayChange = () => {}, now = () => Date.now()): Promise<Overlay> {
  return Overlay.open(await openStore(), { onChange, now });
}

function listVersions(segment: OverlaySegment, name: string = KEY.name): string[] {
  const { servers } = segment;
  return servers.rowsOf(servers.find(name)).map((row) => servers.versionOf(row));
}

describe('Overlay.publish', () => {
  it(`${proves('C-6-80')} gives one success and 99 conflicts for 100 concurrent publishes of a version`, async () => {
    const overlay = await open();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => overlay.publish('main', entry('1.0.0'), CLAIMS)),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(99);
    for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'version_exists' });
    expect(listVersions(overlay.segmentOf('main'))).toEqual(['1.0.0']);
  });

  it('keeps concurrent publishes of many versions of one entry, newest first', async () => {
    const overlay = await open();
    const versions = Array.from({ length: 40 }, (_, index) => `1.${index}.0`);
    await Promise.all(versions.map((version) => overlay.publish('main', entry(version), CLAIMS)));
    expect(listVersions(overlay.segmentOf('main'))).toEqual(versions.toReversed());
  });

  it('hands out a new segment, already holding the change, in the turn of the change', async () => {
    const seen: { segment: OverlaySegment; versions: string[] }[] = [];
    const overlay = await open((source, segment) => {
      expect(source).toBe('main');
      expect(overlay.segmentOf('main')).toBe(segment);
      seen.push({ segment, versions: listVersions(segment) });
    });
    const before = overlay.segmentOf('main');
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    await overlay.publish('main', entry('2.0.0'), CLAIMS);
    expect(seen.map(({ versions }) => versions)).toEqual([['1.0.0'], ['2.0.0', '1.0.0']]);
    expect(new Set([before, ...seen.map(({ segment }) => segment)]).size).toBe(3);
    expect(seen[1]?.segment.generation).toBeGreaterThan(seen[0]?.segment.generation ?? Number.NaN);
  });

  it(`${proves('C-6-64', 'C-6-66', 'S-5.11-07', 'S-5.11-08')} refuses other claims before it looks at the version, as sets`, async () => {
    const overlay = await open();
    await overlay.publish('main', entry('1.0.0'), { org: 'acme', team: ['a', 'b'] });
    const other = { status: 409, code: 'claims_differ' };
    await expect(overlay.publish('main', entry('1.0.0'), { org: 'acme' })).rejects.toMatchObject(other);
    await expect(overlay.publish('main', entry('2.0.0'), {})).rejects.toMatchObject(other);
    await overlay.publish('main', entry('2.0.0'), { team: ['b', 'a'], org: ['acme'] });
    expect(overlay.readClaims(KEY)).toEqual({ org: 'acme', team: ['a', 'b'] });
    await expect(
      overlay.publish('main', entry('1.0.0'), { team: ['b', 'a'], org: 'acme' }),
    ).rejects.toMatchObject({
      code: 'version_exists',
    });
    const bare = { name: 'io.example/bare' };
    await overlay.publish('main', entry('1.0.0', bare), {});
    await expect(overlay.publish('main', entry('2.0.0', bare), CLAIMS)).rejects.toMatchObject(other);
    await overlay.publish('main', entry('2.0.0', bare), {});
  });

  it(`${proves('C-6-78')} changes nothing in memory when the store refuses`, async () => {
    const store = await openStore();
    const overlay = await Overlay.open(store);
    const failure = new HttpError(503, 'store_unavailable', 'full');
    store.insertVersion = () => Promise.reject(failure);
    await expect(overlay.publish('main', entry('1.0.0'), CLAIMS)).rejects.toBe(failure);
    expect(overlay.segmentOf('main').servers.nameCount).toBe(0);
    expect(overlay.readClaims(KEY)).toBeUndefined();
  });

  it(`${proves('C-6-74')} tells a skill from a server of the same name, and one source from another`, async () => {
    const overlay = await open();
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    await overlay.publish('main', entry('1.0.0', { type: 'skill' }), { org: 'other' });
    await overlay.publish('second', entry('1.0.0'), {});
    expect(overlay.readClaims({ ...KEY, type: 'skill' })).toEqual({ org: 'other' });
    expect(
      overlay.findEntry('server', KEY.name, ['second', 'none', 'main']).map(({ source }) => source),
    ).toEqual(['second', 'main']);
  });
});

describe('Overlay changes', () => {
  it(`${proves('C-6-48', 'C-6-49')} recomputes latest when a version goes, and forgets the entry with its last`, async () => {
    const overlay = await open();
    for (const version of ['1.0.0', '2.0.0']) await overlay.publish('main', entry(version), CLAIMS);
    const { servers } = overlay.segmentOf('main');
    await overlay.deleteVersion(KEY, '2.0.0');
    expect(servers.versionOf(servers.latestOf(0))).toBe('1.0.0');
    await overlay.deleteVersion(KEY, '1.0.0');
    expect([servers.nameCount, servers.rowCount, servers.search('one')]).toEqual([0, 0, []]);
    await expect(overlay.deleteVersion(KEY, '1.0.0')).rejects.toMatchObject({
      status: 404,
      code: 'entry_not_found',
    });
    await overlay.publish('main', entry('1.0.0'), { org: 'other' });
    expect(overlay.readClaims(KEY)).toEqual({ org: 'other' });
  });

  it('moves updatedAt and statusChangedAt with the status even when the clock stands still', async () => {
    const overlay = await open(undefined, () => 1000);
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    await overlay.setStatus(KEY, '1.0.0', { status: 'deprecated', statusMessage: 'old' });
    const { servers } = overlay.segmentOf('main');
    const row = servers.rowsOf(0)[0] ?? -1;
    expect(servers.timesOf(row)).toEqual({
      published: 1000,
      updated: 1001,
      statusChanged: 1001,
      changed: 1001,
    });
    expect(servers.writeItem(row, true).join('')).toContain('"status":"deprecated","statusMessage":"old"');
  });

  it('takes the same status again as no change', async () => {
    let changes = 0;
    const overlay = await open(() => changes++);
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    await overlay.setStatus(KEY, '1.0.0', { status: 'deleted', statusMessage: 'gone' });
    await overlay.setStatus(KEY, '1.0.0', { status: 'deleted', statusMessage: 'gone' });
    expect(changes).toBe(2);
  });

  it('shows the new status inside a skill, too', async () => {
    const overlay = await open();
    const body = {
      namespace: 'io.example',
      name: 'one',
      description: 'd',
      version: '1.0.0',
      status: 'active',
    };
    await overlay.publish('main', entry('1.0.0', { type: 'skill', body }), CLAIMS);
    await overlay.setStatus({ ...KEY, type: 'skill' }, '1.0.0', { status: 'deprecated' });
    const { skills } = overlay.segmentOf('main');
    expect(JSON.parse(skills.bodyOf(0))).toEqual({ ...body, status: 'deprecated' });
  });

  it('moves `changed`, not `updated`, with new claims', async () => {
    let time = 1000;
    const overlay = await open(undefined, () => time);
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    time = 5000;
    await overlay.replaceClaims(KEY, { org: ['acme'] });
    const { servers, classes } = overlay.segmentOf('main');
    expect(servers.timesOf(0).changed).toBe(1000);
    await overlay.replaceClaims(KEY, {});
    expect(servers.timesOf(0)).toEqual({
      published: 1000,
      updated: 1000,
      statusChanged: 1000,
      changed: 5000,
    });
    expect(classes[servers.classOf(0)]).toEqual([]);
    expect(overlay.readClaims(KEY)).toEqual({});
  });

  it('asks for admission with the claims as they are when the change begins', async () => {
    const overlay = await open();
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    const refusal = new HttpError(403, 'entry_forbidden', 'no');
    const onlyAcme = (claims: readonly unknown[]) => {
      if (claims.length === 0) throw refusal;
    };
    const [, second] = await Promise.allSettled([
      overlay.replaceClaims(KEY, {}, onlyAcme),
      overlay.deleteVersion(KEY, '1.0.0', onlyAcme),
    ]);
    expect(second).toEqual({ status: 'rejected', reason: refusal });
    expect(listVersions(overlay.segmentOf('main'))).toEqual(['1.0.0']);
  });

  it('is the same after it is opened again', async () => {
    const directory = makeDataDirectory();
    const first = await Overlay.open(await SqliteStore.open(directory));
    for (const version of ['1.0.0', '2.0.0', '3.0.0-rc.1'])
      await first.publish('main', entry(version, { tags: ['t'] }), CLAIMS);
    await first.publish('main', entry('1.0.0', { name: 'io.example/two' }), { org: 'x' });
    await first.setStatus(KEY, '2.0.0', { status: 'deprecated', statusMessage: 'm' });
    await first.replaceClaims(KEY, { team: 'data' });
    const show = ({ servers, classes }: OverlaySegment) =>
      [0, 1].map((index) => ({
        claims: classes[servers.classOf(index)],
        items: servers
          .rowsOf(index)
          .map((row) => [
            servers.writeItem(row, row === servers.latestOf(index)).join(''),
            servers.timesOf(row),
            servers.hasTag(row, 't'),
          ]),
      }));
    const before = show(first.segmentOf('main'));
    await first.close();
    const second = await Overlay.open(await SqliteStore.open(directory));
    onTestFinished(() => second.close());
    expect(show(second.segmentOf('main'))).toEqual(before);
    expect(second.readClaims(KEY)).toEqual({ team: 'data' });
  });

  it('takes over what another process changed', async () => {
    const store = await openStore();
    const overlay = await Overlay.open(store);
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    await store.deleteVersion(KEY, '1.0.0');
    await expect(overlay.deleteVersion(KEY, '1.0.0')).rejects.toMatchObject({ code: 'entry_not_found' });
    expect(overlay.segmentOf('main').servers.nameCount).toBe(0);
    const other = await Overlay.open(store);
    await other.publish('main', entry('4.0.0'), { org: 'new' });
    await overlay.refresh(KEY);
    expect(listVersions(overlay.segmentOf('main'))).toEqual(['4.0.0']);
    expect(overlay.readClaims(KEY)).toEqual({ org: 'new' });
  });

  it('forgets a dropped source, and what was under way into it says so', async () => {
    const changed: string[] = [];
    const overlay = await open((source) => changed.push(source));
    await overlay.publish('main', entry('1.0.0'), CLAIMS);
    changed.length = 0;
    const first = overlay.deleteVersion(KEY, '1.0.0');
    const queued = overlay.publish('main', entry('2.0.0'), CLAIMS);
    const dropped = overlay.dropSource('main');
    await Promise.allSettled([first, queued, dropped]);
    expect(overlay.segmentOf('main').servers.nameCount).toBe(0);
    await overlay.publish('main', entry('1.0.0'), { org: 'another' });
    expect(overlay.readClaims(KEY)).toEqual({ org: 'another' });
  });
});

describe('an overlay in a world', () => {
  it('shows every publish at once in the list of its registry', async () => {
    const plan = { name: 'all', description: undefined, claims: [], sources: ['main'] };
    let world = World.build([plan], new Map());
    const overlay = await open((_, segment) => {
      world = world.withSegment(segment);
    });
    for (const version of ['1.0.0', '1.1.0']) {
      await overlay.publish('main', entry(version), CLAIMS);
      const sight = world.registries.get('all')?.sightOf(ANYBODY);
      if (!sight) throw new Error('the registry is there');
      const page = listEntries(sight, {
        type: 'server',
        includeDeleted: false,
        limit: 10,
        version: 'latest',
      });
      expect(page.items.map(({ table, row }) => table.versionOf(row))).toEqual([version]);
    }
  });
});
