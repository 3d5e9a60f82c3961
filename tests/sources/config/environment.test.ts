// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../sources/config/expand-variables.ts';
import { expandVariables } from '../../../sources/config/expand-variables.ts';
import { checkConfigText } from '../../../sources/config/load-config.ts';
import type { Config } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';
import { AUTH, linesOf, REGISTRIES, SOURCES, VALID } from './config-texts.ts';

const OAUTH = `auth:
  oauth:
    resourceUrl: https://r.acme.com
    providers:
      - {name: my-idp, issuerUrl: "https://id.acme.com", audience: x}
`;

function configOf(text: string, env: Environment): Config {
  const { config, problems } = checkConfigText(text, 'f', env);
  expect(problems).toEqual([]);
  if (config === undefined) throw new Error('no configuration');
  return config;
}

describe('${NAME} in a string value', () => {
  it.each<[text: string, env: Environment, result: string]>([
    ['a ${X} b ${Y}', { X: '1', Y: '2' }, 'a 1 b 2'],
    ['${X:-d}', {}, 'd'],
    ['${X:-d}', { X: '' }, 'd'],
    ['${X:-d}', { X: 'x' }, 'x'],
    ['${X:-}', {}, ''],
    ['${X}', { X: '' }, ''],
    ['${X:-http://a:1/b}', {}, 'http://a:1/b'],
    ['$${X}', { X: 'x' }, '${X}'],
    ['$$${X}', { X: 'x' }, '$${X}'],
    ['$${X} ${X}', { X: 'x' }, '${X} x'],
    ['$X $$ $', { X: 'x' }, '$X $$ $'],
    ['${X}', { X: '${Y}', Y: 'y' }, '${Y}'],
  ])(`${proves('C-2-06', 'C-2-07')} %s with %o is %s`, (text, env, result) => {
    expect(expandVariables(text, env)).toMatchObject({ text: result, faults: [] });
  });

  it('is a problem at its place when the variable is not set', () => {
    expect(linesOf(`${VALID}dataDir: "\${STATE}/x"\nhooks:\n  secretFile: \${toString}\n`)).toEqual([
      'f:9:10: the environment variable STATE is not set. Set it, or give a default: ${STATE:-default}.',
      'f:11:15: the environment variable toString is not set. Set it, or give a default: ${toString:-default}.',
    ]);
  });

  it('is reported once, also where text is not what the schema takes', () => {
    expect(linesOf(`${VALID}limits: {maxPageSize: "\${SIZE}"}\n`)).toHaveLength(1);
  });

  it.each(['${', '${}', '${a-b}', '${1}', '${X'])('is a problem when malformed: %s', (text) => {
    expect(linesOf(`${VALID}dataDir: '${text}'\n`)).toEqual([
      'f:9:10: a "${" that is not ${NAME} or ${NAME:-default}. Write "$${" when a literal "${" is meant.',
    ]);
  });

  it('becomes a number or boolean where the schema takes one, and stays text elsewhere', () => {
    const text = `${VALID}database: {host: db, port: "\${PORT:-5432}", password: "\${PASSWORD}"}\nsite:\n  enabled: \${SITE}\n`;
    const config = configOf(text, { PASSWORD: '0123', SITE: 'false' });
    expect(config.database).toMatchObject({ port: 5432, password: '0123' });
    expect(config.site.enabled).toBe(false);
  });

  it('is explained where YAML takes its brace for a map', () => {
    expect(linesOf(`${VALID}hooks: {secretFile: \${X}}\n`, { X: 'x' })).toEqual([
      expect.stringMatching(
        /^f:9:22: not valid YAML: .*Between \{ \} or \[ \] a "\$\{NAME\}" must stand in quotes\.$/,
      ),
    ]);
  });

  it('does not turn other text into numbers', () => {
    expect(linesOf(`${VALID}limits: {maxPageSize: "50"}\n`)).toEqual([
      'f:9:23: limits.maxPageSize must be a number, not text',
    ]);
  });

  it('is left alone in keys', () => {
    const config = configOf(VALID.replace('[acme]', '[acme]\n    claims: {"${X}": "${X}"}'), { X: 'x' });
    expect(config.registries[0]?.claims).toEqual({ '${X}': 'x' });
  });
});

describe('BERTH_<PATH>', () => {
  const text = `${SOURCES}  - name: git-file
    git: {repository: r}
    syncPolicy: {interval: 1m}
    claims: {realmRoles: [a, b], org-id: x}
  - {name: git, managed: {}}
${REGISTRIES}${OAUTH}database: {host: db}
`;
  it.each<[name: string, value: string, read: (config: Config) => unknown, result: unknown]>([
    ['BERTH_AUTH_MODE', 'anonymous', (c) => c.auth?.mode, 'anonymous'],
    ['BERTH_DATABASE_PASSWORD', '${not expanded} 1', (c) => c.database?.password, '${not expanded} 1'],
    ['BERTH_DATABASE_PORT', '6543', (c) => c.database?.port, 6543],
    ['BERTH_DATABASE_SSL_MODE', 'require', (c) => c.database?.sslMode, 'require'],
    ['BERTH_DATA_DIR', '/state', (c) => c.dataDir, '/state'],
    ['BERTH_DATADIR', '/state', (c) => c.dataDir, '/state'],
    ['BERTH_DATA_DIR', '', (c) => c.dataDir, '.berth'],
    ['BERTH_LIMITS_MAX_PAGE_SIZE', '500', (c) => c.limits.maxPageSize, 500],
    ['BERTH_LIMITS_MAXPAGESIZE', '500', (c) => c.limits.maxPageSize, 500],
    ['BERTH_LIMITS_REQUEST_TIMEOUT', '3s', (c) => c.limits.requestTimeout, 3000],
    ['BERTH_LIMITS_RATE_LIMIT_PER_MINUTE', '60', (c) => c.limits.rateLimit?.perMinute, 60],
    [
      'BERTH_AUTH_OAUTH_RESOURCE_URL',
      'https://x.acme.com',
      (c) => c.auth?.oauth?.resourceUrl,
      'https://x.acme.com',
    ],
    [
      'BERTH_AUTH_OAUTH_PROVIDERS_0_ALLOW_PRIVATE_IP',
      'true',
      (c) => c.auth?.oauth?.providers[0]?.allowPrivateIP,
      true,
    ],
    ['BERTH_AUTH_OAUTH_PROVIDERS_MY_IDP_AUDIENCE', 'y', (c) => c.auth?.oauth?.providers[0]?.audience, 'y'],
    ['BERTH_SOURCES_1_GIT_BRANCH', 'dev', (c) => c.sources[1]?.git?.branch, 'dev'],
    ['BERTH_SOURCES_GIT_FILE_GIT_BRANCH', 'dev', (c) => c.sources[1]?.git?.branch, 'dev'],
    ['BERTH_SOURCES_GIT_ALLOW_EMPTY', '1', (c) => c.sources[2]?.allowEmpty, true],
    ['BERTH_SOURCES_ACME_FILE_PATH', 'd.json', (c) => c.sources[0]?.file?.path, 'd.json'],
    ['BERTH_SOURCES_ACME_SYNC_POLICY_INTERVAL', '5s', (c) => c.sources[0]?.syncPolicy?.interval, 5000],
    ['BERTH_SOURCES_1_CLAIMS_REALM_ROLES_1', 'c', (c) => c.sources[1]?.claims?.realmRoles, ['a', 'c']],
    ['BERTH_SOURCES_1_CLAIMS_ORG_ID', 'y', (c) => c.sources[1]?.claims?.['org-id'], 'y'],
    ['BERTH_REGISTRIES_MAIN_SOURCES_0', 'git', (c) => c.registries[0]?.sources, ['git']],
    ['BERTH_REGISTRIES_0_SOURCES_1', 'git', (c) => c.registries[0]?.sources, ['acme', 'git']],
    ['BERTH_SITE_ENABLED', 'FALSE', (c) => c.site.enabled, false],
    ['BERTH_TELEMETRY_TRACING_SAMPLING', '0.5', (c) => c.telemetry?.tracing?.sampling, 0.5],
    ['BERTH_SOURCES_POLICY_ALLOW_PRIVATE_IP', 'true', (c) => c.sourcesPolicy.allowPrivateIP, true],
    ['BERTH_HOOKS_SECRET_FILE', '/s', (c) => c.hooks?.secretFile, '/s'],
  ])(`${proves('C-2-08')} %s=%s is applied`, (name, value, read, result) => {
    expect(read(configOf(text, { [name]: value }))).toEqual(result);
  });

  it.each([
    'BERTH_SECRETS_PASSWORD',
    'BERTH_SECRET_GITHUB',
    'BERTH_GATEWAY_IMAGE',
    'BERTH_',
    'BERTH_AUTH',
    'BERTH_AUTH_',
    'BERTH_SOURCES',
    'BERTH_SOURCES_9_NAME',
    'BERTH_SOURCES_NOPE_NAME',
    'BERTH_SOURCES_0_MANAGED',
    'XBERTH_AUTH_MODE',
    'berth_auth_mode',
    'BERTH_SOURCES_0_CLAIMS_TEAM',
  ])('%s stands for nothing and changes nothing', (name) => {
    expect(configOf(text, { [name]: 'x' })).toEqual(configOf(text, {}));
  });

  it('builds whole blocks, list elements in order', () => {
    const config = configOf(SOURCES + REGISTRIES, {
      BERTH_AUTH_OAUTH_RESOURCE_URL: 'https://r.acme.com',
      BERTH_AUTH_OAUTH_PROVIDERS_1_NAME: 'b',
      BERTH_AUTH_OAUTH_PROVIDERS_1_AUDIENCE: 'y',
      BERTH_AUTH_OAUTH_PROVIDERS_1_ISSUER_URL: 'https://b.acme.com',
      BERTH_AUTH_OAUTH_PROVIDERS_0_NAME: 'a',
      BERTH_AUTH_OAUTH_PROVIDERS_0_AUDIENCE: 'x',
      BERTH_AUTH_OAUTH_PROVIDERS_0_ISSUER_URL: 'https://a.acme.com',
    });
    expect(config.auth?.oauth?.providers.map((one) => [one.name, one.audience])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
  });

  it('replaces a value of the file that is wrong', () => {
    expect(
      configOf(`${VALID}limits: {maxPageSize: many}\n`, { BERTH_LIMITS_MAX_PAGE_SIZE: '7' }).limits
        .maxPageSize,
    ).toBe(7);
  });

  it.each<[name: string, value: string, lines: string[]]>([
    [
      'BERTH_LIMITS_MAX_PAGE_SIZE',
      'many',
      ['f:1:1: BERTH_LIMITS_MAX_PAGE_SIZE: limits.maxPageSize must be a number, not text'],
    ],
    [
      'BERTH_LIMITS_MAX_PAGE_SIZE',
      '0',
      ['f:1:1: BERTH_LIMITS_MAX_PAGE_SIZE: limits.maxPageSize must be at least 1'],
    ],
    ['BERTH_SITE_ENABLED', 'on', ['f:1:1: BERTH_SITE_ENABLED: site.enabled must be true or false, not text']],
    [
      'BERTH_AUTH_MODE',
      'oath',
      ['f:8:14: BERTH_AUTH_MODE: auth.mode must be one of oauth, anonymous. Did you mean "oauth"?'],
    ],
    [
      'BERTH_SOURCES_0_SYNC_POLICY_INTERVAL',
      'x',
      [
        'f:4:28: BERTH_SOURCES_0_SYNC_POLICY_INTERVAL: sources[0].syncPolicy.interval must be a duration such as 30s, 5m or 1h30m',
      ],
    ],
    [
      'BERTH_REGISTRIES_0_SOURCES_0',
      'x',
      ['f:7:15: BERTH_REGISTRIES_0_SOURCES_0: registries[0].sources[0]: there is no source "x"; known: acme'],
    ],
    [
      'BERTH_SOURCES_ACME_FILE_URL',
      'https://a.com',
      [
        'f:3:12: BERTH_SOURCES_ACME_FILE_URL: sources[0].file already has path; url cannot be given as well. Keep one of them.',
      ],
    ],
    [
      'BERTH_DATABASE_PASSWORD',
      'secret',
      ['f:1:1: BERTH_DATABASE_PASSWORD: database needs url or host. Remove the block to use SQLite.'],
    ],
  ])('%s=%s is a problem that names it, without its value', (name, value, lines) => {
    expect(linesOf(VALID, { [name]: value })).toEqual(lines);
  });

  it('is not read from inherited properties of the environment', () => {
    expect(linesOf(SOURCES + REGISTRIES + AUTH, Object.create({ BERTH_AUTH_MODE: 'x' }))).toEqual([]);
  });
});
