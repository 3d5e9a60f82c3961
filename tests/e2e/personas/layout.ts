import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/built-command.ts';

export type Claims = Readonly<Record<string, string | readonly string[]>>;

export interface SourceLayout {
  readonly name: string;
  readonly path: string;
  readonly claims?: Claims;
}

export interface RegistryLayout {
  readonly name: string;
  readonly claims: Claims;
  readonly sources: readonly string[];
}

const SHARED = join(ROOT, '..', 'shared', 'catalogs');
const SAMPLES = join(ROOT, 'sources', 'samples');

/** Whether the published catalogs lie beside this checkout; without them the shipped sample stands in. */
const hasSharedCatalogs = existsSync(join(SHARED, 'docker.json'));

const servers = (shared: string) =>
  hasSharedCatalogs ? join(SHARED, shared) : join(SAMPLES, 'servers.json');
const skills = hasSharedCatalogs ? join(SHARED, 'skills') : join(SAMPLES, 'skills');

export const SOURCES: readonly SourceLayout[] = [
  { name: 'versions', path: servers('versions.json'), claims: { org: 'acme', team: 'data' } },
  { name: 'docker', path: servers('docker.json'), claims: { org: 'acme', team: ['platform', 'data'] } },
  { name: 'toolhive', path: servers('toolhive-sample.json'), claims: { org: 'acme' } },
  { name: 'partner', path: servers('servers-yaml'), claims: { org: 'globex' } },
  { name: 'toolsdk', path: servers('toolsdk.json'), claims: { org: 'acme', team: 'platform' } },
  { name: 'skills', path: skills, claims: { org: 'acme', team: 'platform' } },
  { name: 'everyone', path: join(SAMPLES, 'skills'), claims: { org: ['acme', 'globex'] } },
  { name: 'unlabeled', path: servers('toolhive-sample.json') },
];

export const REGISTRIES: readonly RegistryLayout[] = [
  {
    name: 'shared',
    claims: { org: ['acme', 'globex'] },
    sources: ['unlabeled', 'versions', 'docker', 'toolhive', 'partner', 'everyone'],
  },
  {
    name: 'platform',
    claims: { org: 'acme', team: 'platform' },
    sources: ['docker', 'toolsdk', 'skills', 'everyone'],
  },
  {
    name: 'data',
    claims: { org: 'acme', team: 'data' },
    sources: ['versions', 'toolhive', 'docker', 'skills'],
  },
];

export const ROLES = {
  superAdmin: [{ role: 'registry-root' }],
  manageSources: [
    { org: 'acme', groups: 'admins' },
    { org: 'globex', groups: 'admins' },
  ],
  manageRegistries: [{ org: 'acme', groups: 'admins' }],
  manageEntries: [{ groups: ['writers', 'publishers'] }],
};

export interface Persona {
  readonly id: string;
  readonly claims: Claims;
  /** Which roles the specification gives them, in reporting order. */
  readonly roles: readonly string[];
}

export const PERSONAS: readonly Persona[] = [
  { id: 'super-admin', claims: { role: 'registry-root' }, roles: ['superAdmin'] },
  {
    id: 'platform-admin',
    claims: { org: 'acme', team: ['platform'], groups: ['staff', 'admins'] },
    roles: ['manageSources', 'manageRegistries'],
  },
  {
    id: 'platform-writer',
    claims: { org: 'acme', team: 'platform', groups: ['writers'] },
    roles: ['manageEntries'],
  },
  {
    id: 'data-writer',
    claims: { org: 'acme', team: ['data', 'research'], groups: 'writers' },
    roles: ['manageEntries'],
  },
  {
    id: 'outsider',
    claims: { org: 'globex', team: ['platform', 'data'], groups: ['admins'] },
    roles: ['manageSources'],
  },
  { id: 'nobody', claims: { org: 'acme' }, roles: [] },
];

/** The configuration of all of the above. */
export function describeConfig(provider: object): object {
  return {
    sources: SOURCES.map(({ name, path, claims }) => ({
      name,
      file: { path },
      syncPolicy: { interval: '1h' },
      ...(claims ? { claims } : {}),
    })),
    registries: REGISTRIES,
    auth: {
      mode: 'oauth',
      oauth: { resourceUrl: 'http://registry.example.test', providers: [provider] },
      authz: { roles: ROLES },
    },
    limits: { maxPageSize: 1000 },
  };
}
