// Opens the current bundle of every source as the service does at its start, and prints the milliseconds as JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BundleStore } from '../../../sources/bundle/bundle-store.ts';
import { openBundle } from '../../../sources/bundle/open-bundle.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';

const { dir }: { dir: string } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const bundleDir = join(dir, 'data', 'bundles');
const compiler = createCompiler();
const begun = performance.now();
const { sources } = await new BundleStore(bundleDir).readManifest();
const open = await Promise.all(
  Object.entries(sources).map(async ([name, { current }]) => {
    const { bytes, times } = await compiler.load(bundleDir, name, current);
    return openBundle(bytes, current, times, Date.now());
  }),
);
const ms = performance.now() - begun;
const versions = open.reduce((sum, bundle) => sum + bundle.servers.rowCount, 0);
process.stdout.write(JSON.stringify({ ms, versions }));
await compiler.close();
