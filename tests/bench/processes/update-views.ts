// What one change of a managed source costs in memory, until the first page of the new view is there, for a source with
// so many entries; prints the median microseconds of each kind of change as JSON.
import { readFileSync } from 'node:fs';
import { Overlay, type PublishedEntry } from '../../../server/overlay/overlay.ts';
import type { StoredEntry } from '../../../server/overlay/overlay-store.ts';
import { listEntries } from '../../../server/view/list-entries.ts';
import type { ListQuery } from '../../../server/view/query.ts';
import { World } from '../../../server/view/world.ts';
import { normalizeClaims } from '../../../sources/model/claims.ts';
import { ForgetfulStore } from '../../support/forgetful-store.ts';
import { makeIdentity } from '../../support/make-identity.ts';
import { makeServer, serverName } from '../catalog/make-server.ts';
import { median } from '../median.ts';

const { entries, times }: { entries: number; times: number } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const SOURCE = 'published';
const CLAIMS = { org: 'acme' };

function makePublished(number: number, version: string): PublishedEntry {
  const body = makeServer(number, version);
  return { type: 'server', name: serverName(number), version, body, status: 'active', tags: [], tools: [] };
}

function makeStored(number: number): StoredEntry {
  const { type, name, version, body, status, tags, tools } = makePublished(number, '1.0.0');
  const times = { publishedAt: 1, updatedAt: 1, statusChangedAt: 1 };
  const stored = { version, body: JSON.stringify(body), status, tags, tools, ...times };
  return { source: SOURCE, type, name, claims: CLAIMS, claimsChangedAt: 1, versions: [stored] };
}

const store = new ForgetfulStore(Array.from({ length: entries }, (_, number) => makeStored(number)));
const overlay = await Overlay.open(store);
const plan = {
  name: 'all',
  description: undefined,
  claims: normalizeClaims({}),
  sources: [SOURCE],
};
let world = World.build([plan], new Map([[SOURCE, overlay.segmentOf(SOURCE)]]));
overlay.onChange = (_source, segment) => {
  world = world.withSegment(segment);
};
const caller = makeIdentity(CLAIMS);

function readFirstPage(name: string): void {
  const sight = world.registries.get('all')?.sightOf(caller);
  const query: ListQuery = {
    type: 'server',
    limit: 30,
    includeDeleted: false,
    after: { name, version: '9.9.9' },
  };
  if (!sight || listEntries(sight, query).items.length === 0) throw new Error('an empty page');
}

/** Medians over changes spread over the whole order of names; the first third only warms up. */
async function measure(change: (number: number) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times * 1.5; time++) {
    const number = (time * 7919) % entries;
    const begun = performance.now();
    await change(number);
    readFirstPage(serverName(number).slice(0, -1));
    if (time >= times / 2) took.push((performance.now() - begun) * 1000);
  }
  return median(took);
}

const key = (number: number) => ({ source: SOURCE, type: 'server' as const, name: serverName(number) });
const result = {
  entry: await measure((number) => overlay.publish(SOURCE, makePublished(entries + number, '1.0.0'), CLAIMS)),
  version: await measure((number) => overlay.publish(SOURCE, makePublished(number, '2.0.0'), CLAIMS)),
  status: await measure((number) =>
    overlay.setStatus(key(number), '1.0.0', { status: 'deprecated', statusMessage: 'old' }),
  ),
};
process.stdout.write(JSON.stringify(result));
