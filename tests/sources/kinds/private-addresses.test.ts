import { describe, expect, it } from 'vitest';
import { createFetchSource } from '../../../sources/kinds/fetch-source.ts';
import { PRIVATE_HOSTS } from '../net/private-spellings.ts';
import { makeSource } from '../sync/sync-bench.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

const fetchSource = createFetchSource({ allowPrivate: false });

/** Every member of a source that holds a URL. */
const FIELDS: Readonly<Record<string, (host: string) => Record<string, unknown>>> = {
  'file.url': (host) => ({ file: { url: `https://${host}/registry.json` } }),
  'api.endpoint': (host) => ({ file: undefined, api: { endpoint: `https://${host}/` } }),
  'api.auth.clientCredentials.tokenUrl': (host) => ({
    file: undefined,
    api: {
      endpoint: 'https://registry.invalid/',
      auth: {
        clientCredentials: {
          tokenUrl: `https://${host}/token`,
          clientId: 'berth',
          clientSecretFile: 'secret',
        },
      },
    },
  }),
  'git.repository over https': (host) => ({
    file: undefined,
    git: { repository: `https://${host}/team.git` },
  }),
  'git.repository over ssh': (host) => ({
    file: undefined,
    git: { repository: `ssh://git@${host}/team.git` },
  }),
};

describe.each(Object.entries(FIELDS))('%s that may lead to public addresses only', (_field, blockFor) => {
  it.each(PRIVATE_HOSTS)('is not fetched from %s', async (host) => {
    const baseDir = makeDirectory();
    await writeFiles(baseDir, { secret: 'hush' });
    const context = { baseDir, dataDir: `${baseDir}/.berth`, signal: AbortSignal.timeout(10_000) };
    await expect(fetchSource(makeSource(blockFor(host)), context)).rejects.toMatchObject({
      code: 'source_private_address',
    });
  });
});
