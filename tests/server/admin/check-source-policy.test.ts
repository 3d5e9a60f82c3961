import { describe, expect, it } from 'vitest';
import { checkSourcePolicy } from '../../../server/admin/check-source-policy.ts';
import { configSchema, type LoadedConfig, sourceSchema } from '../../../sources/config/schema.ts';
import { PRIVATE_HOSTS } from '../../sources/net/private-spellings.ts';

function makeLoaded(sourcesPolicy: object = {}): LoadedConfig {
  const config = configSchema.parse({
    sources: [{ name: 'own', managed: {} }],
    registries: [{ name: 'all', sources: ['own'] }],
    auth: { mode: 'anonymous' },
    sourcesPolicy,
  });
  return { config, baseDir: '/srv/berth', dataDir: '/srv/berth/.berth', file: 'registry.config.yaml' };
}

const credentials = (tokenUrl: string) => ({
  clientCredentials: { tokenUrl, clientId: 'berth', clientSecretFile: '/srv/berth/allowed/secret' },
});
/** Every member of a source that holds a URL. */
const FIELDS: Readonly<Record<string, (host: string) => object>> = {
  'file.url': (host) => ({ file: { url: `https://${host}/registry.json` } }),
  'api.endpoint': (host) => ({ api: { endpoint: `https://${host}/` } }),
  'api.auth.clientCredentials.tokenUrl': (host) => ({
    api: { endpoint: 'https://registry.example/', auth: credentials(`https://${host}/token`) },
  }),
  'git.repository over https': (host) => ({ git: { repository: `https://${host}/team.git` } }),
  'git.repository over ssh': (host) => ({ git: { repository: `ssh://git@${host}/team.git` } }),
};

function check(block: object, policy: object = {}): void {
  const source = sourceSchema.parse({ name: 'made', ...block, syncPolicy: { interval: '1h' } });
  checkSourcePolicy(source, makeLoaded({ allowedPaths: ['allowed'], ...policy }));
}

describe.each(Object.entries(FIELDS))('%s of a source made through the API', (_field, blockFor) => {
  it.each([...PRIVATE_HOSTS, 'localhost', 'inner.localhost'])('may not be %s', (host) => {
    expect(() => check(blockFor(host))).toThrow(
      expect.objectContaining({ status: 403, code: 'address_forbidden' }),
    );
    expect(() => check(blockFor(host), { allowPrivateIP: true })).not.toThrow();
  });

  it('may be public, or a name, whose address is checked when a connection is made', () => {
    for (const host of ['93.184.216.34', 'catalog.example'])
      expect(() => check(blockFor(host))).not.toThrow();
  });
});
