// Brings one file source up to date as `berth build` does, and prints how many milliseconds it took as JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceSchema } from '../../../sources/config/schema.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';

const { dir }: { dir: string } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const source = sourceSchema.parse({
  name: 'compiled',
  file: { path: 'catalog.json' },
  syncPolicy: { interval: '1h' },
});
const compiler = createCompiler();
const begun = performance.now();
await compiler.refresh({
  source,
  baseDir: dir,
  dataDir: join(dir, 'data'),
  bundleDir: join(dir, 'data', 'bundles'),
  maxMetaBytes: 262_144,
  allowPrivate: false,
});
process.stdout.write(JSON.stringify({ ms: performance.now() - begun }));
await compiler.close();
