import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { type ApiSource, apiSchema } from '../../../sources/config/schema.ts';
import { BerthError } from '../../../sources/errors.ts';
import { createFetchApi, type FetchApiOptions } from '../../../sources/kinds/fetch-api.ts';
import type { Fetched } from '../../../sources/kinds/fetched.ts';
import { type FakeRegistry, makeServer } from './fake-registry.ts';
import { makeDirectory } from './temporary-directory.ts';

export const SERVERS = '/v0.1/servers';
export const SKILLS = '/v0.1/x/dev.toolhive/skills';
export const OLD = '2025-02-01T00:00:00.000Z';
export const HOUR = 3_600_000;

/** One source with a data directory, fetched as the engine does: the digest of the last content is known. */
export function openSource(
  registry: FakeRegistry,
  settings: object = {},
  options: Partial<FetchApiOptions> = {},
) {
  const dir = makeDirectory();
  const waits: number[] = [];
  const clock = { now: Date.now() };
  const fetchApi = createFetchApi({
    allowPrivate: true,
    now: () => clock.now,
    wait: async (ms) => waits.push(ms),
    ...options,
  });
  let known: string | undefined;
  const source: ApiSource = apiSchema.parse({ endpoint: registry.url, ...settings });
  return {
    dir,
    waits,
    clock,
    state: () => join(dir, '.berth/api', readdirSync(join(dir, '.berth/api'))[0] ?? 'none'),
    async fetch(signal?: AbortSignal): Promise<Fetched | 'unchanged'> {
      const result = await fetchApi(source, {
        baseDir: dir,
        dataDir: join(dir, '.berth'),
        ...(known === undefined ? {} : { knownDigest: known }),
        ...(signal ? { signal } : {}),
      });
      if (result !== 'unchanged') known = result.digest;
      return result;
    },
  };
}

export function expectFetched(result: Fetched | 'unchanged'): Fetched {
  if (result === 'unchanged') throw new Error('content was expected');
  return result;
}

export const catalogOf = (result: Fetched | 'unchanged') =>
  readCatalog(expectFetched(result), { sourceName: 'upstream' });
export const labels = (result: Fetched | 'unchanged') =>
  catalogOf(result).entries.map(({ name, version, status }) => `${name}@${version} ${status}`);

export async function failure(work: Promise<unknown>): Promise<BerthError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BerthError)) throw new Error(`a BerthError was expected, not ${String(error)}`);
  return error;
}

export const many = (count: number, updatedAt = OLD) =>
  Array.from({ length: count }, (_, index) =>
    makeServer(`io.acme/s${String(index).padStart(3, '0')}`, '1.0.0', updatedAt),
  );
