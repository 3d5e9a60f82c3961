// What the pages of the catalog cost to read in memory, for a caller who sees everything in the 40 bundles of a compiled
// catalog and in a managed source before them: prints milliseconds as JSON, medians but for the first page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { createCatalogReader } from '../../../server/site/catalog/create-catalog-reader.ts';
import type { EntryFilters, EntryPage } from '../../../server/site/catalog-reader.ts';
import { BundleSegment } from '../../../server/view/bundle-segment.ts';
import { World } from '../../../server/view/world.ts';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { openBundle } from '../../../sources/bundle/open-bundle.ts';
import { normalizeClaims } from '../../../sources/model/claims.ts';
import type { Segment } from '../../../sources/model/entry-table.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';
import { ForgetfulStore } from '../../support/forgetful-store.ts';
import { makeAnonymous } from '../../support/make-identity.ts';
import { makeServer, serverName } from '../catalog/make-server.ts';
import { median } from '../median.ts';

const { dir, servers, times }: { dir: string; servers: number; times: number } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const MANAGED = 'published';
const NO_FILTERS: EntryFilters = {
  type: 'server',
  q: '',
  tag: undefined,
  transport: undefined,
  package: undefined,
  cursor: undefined,
};

async function openSegments(): Promise<Segment[]> {
  const bundleDir = join(dir, 'data', 'bundles');
  const compiler = createCompiler();
  const { sources } = await new BundleStore(bundleDir).readManifest();
  const segments = await Promise.all(
    Object.entries(sources).map(async ([name, { current, bundles }]) => {
      const { bytes, times: seen } = await compiler.load(bundleDir, name, current);
      const record = bundles.find(({ hash }) => hash === current);
      if (!record) throw new Error(`no record of the bundle of ${name}`);
      return new BundleSegment(name, { org: 'acme' }, openBundle(bytes, current, seen, Date.now()), record);
    }),
  );
  await compiler.close();
  return segments;
}

const overlay = await Overlay.open(new ForgetfulStore([]));
const segments = [overlay.segmentOf(MANAGED), ...(await openSegments())];
const plan = {
  name: 'all',
  description: undefined,
  claims: normalizeClaims({}),
  sources: segments.map(({ source }) => source),
};
let world = World.build([plan], new Map(segments.map((segment) => [segment.source, segment])));
overlay.onChange = (_source, segment) => {
  world = world.withSegment(segment);
};
const reader = createCatalogReader({
  world: () => world,
  identity: makeAnonymous(),
  baseUrl: 'https://mcp.example.com',
});

function readPage(filters: Partial<EntryFilters>): EntryPage {
  const page = reader.listEntries('all', { ...NO_FILTERS, ...filters });
  if (page.refused || page.entries.length === 0) throw new Error('an empty page');
  return page;
}

/** The median of what is measured, after a third as many rounds that only warm up. */
async function measure(read: (time: number) => void, prepare?: (time: number) => Promise<unknown>) {
  const took: number[] = [];
  for (let time = 0; time < (times * 4) / 3; time++) {
    await prepare?.(time);
    const begun = performance.now();
    read(time);
    if (time >= times / 3) took.push(performance.now() - begun);
  }
  return median(took);
}

const begun = performance.now();
const { facets, next } = readPage({});
const first = performance.now() - begun;
const tags = facets.tags.map(({ value }) => value);
const result = {
  first,
  list: await measure((time) => readPage(time % 2 ? { cursor: next } : {})),
  filtered: await measure((time) => readPage({ tag: tags[time % tags.length], transport: 'stdio' })),
  search: await measure((time) => readPage({ q: tags[time % tags.length] ?? '', package: 'oci' })),
  detail: await measure((time) => {
    const entry = reader.readEntry('all', 'server', serverName((time * 7919) % servers), undefined);
    if (entry.refused) throw new Error(`refused: ${entry.code}`);
  }),
  published: await measure(
    () => readPage({}),
    (time) => {
      const number = servers + time;
      const body = makeServer(number, '1.0.0');
      const entry = { type: 'server', name: serverName(number), version: '1.0.0', body } as const;
      return overlay.publish(MANAGED, { ...entry, status: 'active', tags: [], tools: [] }, { org: 'acme' });
    },
  ),
};
process.stdout.write(JSON.stringify(result));
