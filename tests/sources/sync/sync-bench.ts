import { type SourceConfig, sourceSchema } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { FetchContext, Fetched, FetchSource, Origin } from '../../../sources/kinds/fetched.ts';
import type { RefreshJob } from '../../../sources/sync/refresh-source.ts';

/** A source of the configuration; a file source unless it says otherwise. */
export function makeSource(more: Readonly<Record<string, unknown>> = {}): SourceConfig {
  return sourceSchema.parse({
    name: 'team',
    file: { path: 'registry.json' },
    syncPolicy: { interval: '60s' },
    ...more,
  });
}

export function makeJob(dir: string, source: SourceConfig = makeSource()): RefreshJob {
  return {
    source,
    baseDir: dir,
    dataDir: dir,
    bundleDir: `${dir}/bundles`,
    maxMetaBytes: 262_144,
    allowPrivate: true,
  };
}

/** The text of a catalog with these servers, given as `name@version`. */
export function catalogOf(...servers: readonly string[]): string {
  const data = servers.map((key) => {
    const [name, version = '1.0.0'] = key.split('@');
    return { name, version, description: `About ${name}` };
  });
  return JSON.stringify({ version: '1.0.0', meta: {}, data: { servers: data } });
}

/** Stands in for an upstream: answers its text, tells `unchanged` as a real kind does, or fails. */
export class Upstream {
  text: string;
  failure: string | undefined;
  origin: Origin = { kind: 'file' };
  readonly contexts: FetchContext[] = [];

  constructor(text: string) {
    this.text = text;
  }

  readonly fetch: FetchSource<SourceConfig> = async (_source, context) => {
    this.contexts.push(context);
    if (this.failure !== undefined) throw new BerthError('source_unreachable', this.failure);
    const digest = `digest of ${this.text}`;
    if (digest === context.knownDigest) return 'unchanged';
    const files = [{ path: 'registry.json', bytes: new TextEncoder().encode(this.text) }];
    return { layout: 'file', files, origin: this.origin, digest } satisfies Fetched;
  };
}
