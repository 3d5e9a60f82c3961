import type { SourceConfig } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import { createFetchApi } from './fetch-api.ts';
import { createFetchFile } from './fetch-file.ts';
import { createFetchGit } from './fetch-git.ts';
import type { FetchSource } from './fetched.ts';

/**
 * Makes the fetcher of all synced kinds. It remembers between calls what lets it answer `unchanged` cheaply, so make
 * it once.
 * @param options.allowPrivate whether URLs may lead to private addresses: true for sources of the configuration file
 */
export function createFetchSource(options: { readonly allowPrivate: boolean }): FetchSource<SourceConfig> {
  const fetchApi = createFetchApi(options);
  const fetchFile = createFetchFile(options);
  const fetchGit = createFetchGit(options);
  return async (source, context) => {
    if (source.file) return fetchFile(source.file, context);
    if (source.git) return fetchGit(source.git, context);
    if (source.api) return fetchApi(source.api, context);
    throw new BerthError('source_not_synced', `Source ${source.name} is of a kind that is not fetched.`);
  };
}
