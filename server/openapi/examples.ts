import { OFFICIAL_META, ORIGIN_META } from '../../sources/model/meta-keys.ts';
import { SERVER_SCHEMA_URL } from '../../sources/model/server-json.ts';

const HASH = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const TIME = '2026-01-31T12:00:00.000Z';

export const SERVER = {
  $schema: SERVER_SCHEMA_URL,
  name: 'io.github.acme/weather',
  description: 'Weather forecasts for any place.',
  version: '1.2.0',
  remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
};
export const SKILL = {
  namespace: 'io.github.acme',
  name: 'pdf-forms',
  description: 'Fills in PDF forms.',
  version: '1.0.0',
};
export const CLAIMS = { org: 'acme', team: ['platform', 'data'] };

const META = {
  [OFFICIAL_META]: {
    status: 'active',
    statusChangedAt: TIME,
    publishedAt: TIME,
    updatedAt: TIME,
    isLatest: true,
  },
  [ORIGIN_META]: {
    source: 'upstream',
    kind: 'git',
    bundle: HASH,
    commit: '2b66fd261ee5c6cfc8de7fa466bab600bcfe4f69',
  },
};
export const SERVER_ITEM = { server: SERVER, _meta: META };
export const SERVER_LIST = { servers: [SERVER_ITEM], metadata: { count: 1, nextCursor: 'ZXhhbXBsZQ' } };
export const SERVER_VERSIONS = { servers: [SERVER_ITEM], metadata: { count: 1 } };
export const SKILL_ITEM = { ...SKILL, status: 'active', _meta: META };
export const SKILL_LIST = { skills: [SKILL_ITEM], metadata: { count: 1 } };
export const DISCOVERY_INDEX = {
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [
    {
      name: SKILL.name,
      type: 'skill-md',
      description: SKILL.description,
      url: `${SKILL.name}/SKILL.md`,
      digest: HASH,
    },
  ],
};
export const REACHABLE = {
  registries: [
    { name: 'public', description: 'For everybody.', url: 'https://registry.example.com/registry/public' },
  ],
};
export const PROTECTED_RESOURCE = {
  resource: 'https://registry.example.com',
  authorization_servers: ['https://id.example.com/realms/acme'],
  bearer_methods_supported: ['header'],
  resource_documentation: 'https://registry.example.com/docs/api',
  scopes_supported: ['mcp-registry:read', 'mcp-registry:write'],
};

export const ME = { subject: 'ada', roles: ['manageSources', 'manageEntries'] };
const GIT = { repository: 'https://git.example.com/acme/catalog.git', branch: 'main', path: 'registry.json' };
export const SOURCE_BODY = { git: GIT, syncPolicy: { interval: '30m' }, claims: CLAIMS };
export const SOURCE_STATUS = {
  phase: 'complete',
  lastSyncTime: TIME,
  lastAttemptTime: TIME,
  attempts: 0,
  message: '12 servers, 3 skills',
  servers: 12,
  skills: 3,
  rejected: [],
  bundle: { hash: HASH, origin: { kind: 'git', commit: '2b66fd261ee5c6cfc8de7fa466bab600bcfe4f69' } },
};
export const SOURCE = {
  name: 'upstream',
  type: 'git',
  creationType: 'API',
  git: GIT,
  syncPolicy: { interval: '30m0s' },
  claims: CLAIMS,
  status: SOURCE_STATUS,
  createdAt: TIME,
  updatedAt: TIME,
};
export const REGISTRY_BODY = { sources: ['upstream'], claims: CLAIMS, description: 'For everybody.' };
export const REGISTRY = {
  name: 'public',
  description: 'For everybody.',
  creationType: 'API',
  sources: ['upstream'],
  claims: CLAIMS,
  createdAt: TIME,
  updatedAt: TIME,
};
export const RAW_ENTRY = {
  type: 'server',
  name: SERVER.name,
  claims: CLAIMS,
  versions: [
    {
      version: '1.2.0',
      status: 'active',
      description: SERVER.description,
      createdAt: TIME,
      updatedAt: TIME,
    },
  ],
};
export const BUNDLE = {
  hash: HASH,
  current: true,
  builtAt: TIME,
  origin: { kind: 'git' },
  servers: 12,
  skills: 3,
  versions: 20,
  rejected: 0,
  bytes: 48_213,
};
export const EXPLANATION = {
  registry: 'public',
  entry: `server/${SERVER.name}`,
  visible: true,
  decidedBy: 'entry claims',
  servedFrom: 'upstream',
  copies: [{ source: 'upstream', visible: true, decidedBy: 'entry claims' }],
  steps: [{ step: 'roles', roles: [], superAdmin: false }],
  text: ['visible: entry claims'],
};
export const PROBLEM = {
  type: 'https://berth.dev/errors/limit_invalid',
  title: 'Bad Request',
  status: 400,
  detail: 'limit must be a whole number from 1 to 100.',
  instance: 'urn:request:5f2c1b0e-5d7a-4a53-9f0e-3a4a6c1f2f11',
  code: 'limit_invalid',
  error: 'limit must be a whole number from 1 to 100.',
};
