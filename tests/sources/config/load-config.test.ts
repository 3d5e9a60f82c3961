import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConfigText, loadConfig } from '../../../sources/config/load-config.ts';
import { ConfigError } from '../../../sources/config/problem.ts';
import { messageOf } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';
import { AUTH, linesOf, REGISTRIES, SOURCES, VALID } from './config-texts.ts';

describe('the text of a configuration', () => {
  it(`${proves('C-2-56', 'C-2-74')} is accepted when nothing is wrong, with the defaults filled in`, () => {
    const { config, problems } = checkConfigText(VALID, 'f', {});
    expect(problems).toEqual([]);
    expect(config?.sources[0]?.syncPolicy?.interval).toBe(1_800_000);
    expect(config?.limits).toMatchObject({ maxPageSize: 100, requestTimeout: 10_000, maxMetaBytes: 262_144 });
    expect(config?.dataDir).toBe('.berth');
  });

  it.each<[title: string, text: string, lines: string[]]>([
    ['empty', '', ['f:1:1: the configuration is empty. It needs sources and registries.']],
    ['only a comment', '# x\n', ['f:1:1: the configuration is empty. It needs sources and registries.']],
    ['a list', '- a\n', ['f:1:1: must be a map. It needs sources and registries.']],
    [
      'several documents',
      `${VALID}---\na: 1\n`,
      ['f:9:1: a second YAML document starts here. A configuration is one document: remove the "---".'],
    ],
    [
      'a repeated key',
      `${VALID}dataDir: a\ndataDir: b\n`,
      ['f:10:1: this key is given twice. Keep one of them.'],
    ],
    [
      'keys that are the same text',
      `${VALID}site: {audience: {1: a, "1": b}}\n`,
      ['f:9:25: this key is given twice. Keep one of them.'],
    ],
    [
      'an alias without anchor',
      `${VALID}dataDir: *x\n`,
      ['f:9:10: the anchor &x is not defined before this alias'],
    ],
    [
      'a structure within itself',
      `${VALID}site: &s {audience: {a: *s}}\n`,
      ['f:9:25: this structure contains itself'],
    ],
    ['an unknown tag', `${VALID}dataDir: !env X\n`, ['f:9:10: unknown YAML tag. Remove the tag.']],
    [
      'a binary value',
      `${VALID}dataDir: !!binary aGk=\n`,
      ['f:9:19: this kind of value cannot be used in a configuration'],
    ],
    ['the key __proto__', `${VALID}__proto__: {a: 1}\n`, ['f:9:1: this key cannot be used']],
    ['a map as key', `${VALID}? {a: 1}\n: 1\n`, ['f:9:3: a key must be text']],
    ['a merge of text', `${VALID}<<: x\n`, ['f:9:1: "<<" takes a map or a list of maps']],
  ])('is refused: %s', (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it('goes on after what leaves the structure intact', () => {
    expect(
      linesOf(`${VALID}dataDir: !env X\ncolour: 1\ncolour: 2\ncolour: 3\n`).map((line) => line.split(' ')[0]),
    ).toEqual(['f:9:10:', 'f:10:1:', 'f:11:1:', 'f:12:1:']);
  });

  it('says where YAML is broken', () => {
    expect(linesOf('a: ]\nb: }\n: : :\n')).toHaveLength(1);
    expect(linesOf('sources: [\n')[0]).toMatch(/^f:2:1: not valid YAML: /);
    expect(linesOf(`a: ${'['.repeat(50_000)}`)[0]).toMatch(/^f:1:\d+: /);
    expect(linesOf(`a: ${'['.repeat(80)}${']'.repeat(80)}`)).toContain('f:1:68: nested too deeply');
  });

  it('survives aliases that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) =>
        `a${n}: &a${n} [${Array(10)
          .fill(n ? `*a${n - 1}` : 'x')
          .join(', ')}]`,
    );
    expect(linesOf(levels.join('\n')).join('\n')).toContain('too many values; an alias may repeat itself');
  });

  it(`${proves('C-2-05', 'C-12.1-03')} takes anchors, aliases and merges, and keeps the case of map keys`, () => {
    const text = `sources:
  - &base
    name: acme
    file: {path: c.json}
    syncPolicy: &often {interval: 1s}
    claims: &c {realmRoles: [Reader], org_ID: a}
  - <<: *base
    name: other
registries: [{name: main, sources: [acme, other], claims: *c}]
auth: {mode: anonymous}
`;
    const { config, problems } = checkConfigText(text, 'f', {});
    expect(problems).toEqual([]);
    expect(config?.sources.map((source) => source.name)).toEqual(['acme', 'other']);
    expect(config?.sources[1]?.claims).toEqual({ realmRoles: ['Reader'], org_ID: 'a' });
    expect(config?.registries[0]?.claims).toEqual({ realmRoles: ['Reader'], org_ID: 'a' });
  });

  it.each<[title: string, text: string, lines: string[]]>([
    [
      'an unknown key with a near one',
      VALID.replace('name: acme', 'name: acme\n    fitler: {}'),
      [
        'f:3:5: unknown key "fitler" in sources[0]; allowed: name, file, git, api, kubernetes, managed, syncPolicy, filter, claims, allowEmpty. Did you mean "filter"?',
      ],
    ],
    [
      'an unknown key at the top',
      `${VALID}qqqqqq: 1\n`,
      [
        'f:9:1: unknown key "qqqqqq"; allowed: sources, registries, auth, database, dataDir, hooks, audit, telemetry, limits, site, sourcesPolicy',
      ],
    ],
    [
      'a key where none is allowed',
      VALID.replace('file: {path: c.json}', 'managed: {a: 1}'),
      ['f:3:15: unknown key "a" in sources[0].managed; no keys are allowed here'],
    ],
    [
      'the wrong kind of value',
      VALID.replace('c.json', '3'),
      ['f:3:18: sources[0].file.path must be text, not a number'],
    ],
    ['a list for a map', `${VALID}limits: [1]\n`, ['f:9:9: limits must be a map, not a list']],
    [
      'a fraction',
      `${VALID}limits: {maxBodyBytes: 1024.5}\n`,
      ['f:9:24: limits.maxBodyBytes must be a whole number, not a fraction'],
    ],
    ['too small', `${VALID}limits: {maxPageSize: 0}\n`, ['f:9:23: limits.maxPageSize must be at least 1']],
    [
      'too large',
      `${VALID}audit: {maxDataSize: 1048577}\n`,
      ['f:9:22: audit.maxDataSize must be at most 1048576'],
    ],
    ['an empty text', `${VALID}dataDir: ''\n`, ['f:9:10: dataDir must not be empty']],
    ['an empty value', `${VALID}audit:\n`, ['f:9:1: audit is empty. Give it a value or remove the key.']],
    ['a written null', `${VALID}audit: ~\n`, ['f:9:8: audit is empty. Give it a value or remove the key.']],
    [
      'a missing key',
      VALID.replace('name: main\n    sources: [acme]', 'description: x\n    sources: [acme]'),
      ['f:6:5: registries[0].name is required'],
    ],
    ['a missing block', SOURCES + AUTH, ['f:1:1: registries is required']],
    [
      'an empty list',
      `${SOURCES}${AUTH}registries: []\n`,
      ['f:6:13: registries needs at least one registry'],
    ],
    [
      'an enum with a near value',
      VALID.replace('anonymous', 'anonymus'),
      ['f:8:14: auth.mode must be one of oauth, anonymous. Did you mean "anonymous"?'],
    ],
    [
      'a bad name',
      VALID.replace('name: main', 'name: Main_1'),
      [
        'f:6:11: registries[0].name must be a DNS label: lower-case letters, digits and hyphens, at most 63 characters',
      ],
    ],
    [
      'a duration that is none',
      VALID.replace('30m', '30 minutes'),
      ['f:4:28: sources[0].syncPolicy.interval must be a duration such as 30s, 5m or 1h30m'],
    ],
    [
      'a duration that is a number',
      VALID.replace('30m', '30'),
      ['f:4:28: sources[0].syncPolicy.interval must be a duration such as 30s, 5m or 1h30m'],
    ],
    [
      'a duration of the wrong kind',
      VALID.replace('30m', '[1]'),
      ['f:4:28: sources[0].syncPolicy.interval must be a duration such as 30s, 5m or 1h30m'],
    ],
    [
      'a duration below 1s',
      VALID.replace('30m', '10ms'),
      ['f:4:28: sources[0].syncPolicy.interval must be at least 1s'],
    ],
    [
      'a policy without interval',
      VALID.replace('{interval: 30m}', '{}'),
      ['f:4:17: sources[0].syncPolicy.interval is required'],
    ],
    [
      'a union of kinds',
      VALID.replace('path: c.json', 'data: 3'),
      ['f:3:18: sources[0].file.data must be text or a map or a list, not a number'],
    ],
    [
      'a claim that is a number',
      VALID.replace('[acme]', '[acme]\n    claims: {Team: 1}'),
      ['f:8:20: registries[0].claims.Team must be text or a list, not a number'],
    ],
    [
      'a number in a claim',
      VALID.replace('[acme]', '[acme]\n    claims: {Team: [a, 1]}'),
      ['f:8:24: registries[0].claims.Team[1] must be text, not a number'],
    ],
    [
      'a claim that matches nobody',
      VALID.replace('[acme]', '[acme]\n    claims: {Team: []}'),
      ['f:8:20: registries[0].claims.Team: an empty array matches nobody; leave the key out'],
    ],
    [
      'an empty claim key',
      VALID.replace('[acme]', '[acme]\n    claims: {"": a}'),
      ['f:8:14: registries[0].claims[""]: the key must not be empty'],
    ],
    [
      'a public path',
      VALID.replace('{mode: anonymous}', '{mode: anonymous, publicPaths: [x]}'),
      ['f:8:39: auth.publicPaths[0] must start with "/"'],
    ],
    [
      'a URL of another scheme',
      `${VALID}site: {baseUrl: "ftp://a"}\n`,
      ['f:9:17: site.baseUrl must be an http or https URL'],
    ],
  ])(`${proves('C-2-01', 'C-2-02', 'C-2-03', 'C-2-10', 'C-2-13', 'S-2.2-05', 'S-5.3-01')} is refused with place and words: %s`, (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it(`${proves('C-12.1-02')} takes sourcesPolicy at the top and nowhere else`, () => {
    const policy = 'sourcesPolicy: {allowedPaths: [/srv/catalogs], allowPrivateIP: true}\n';
    expect(checkConfigText(VALID + policy, 'f', {}).config?.sourcesPolicy).toEqual({
      allowedPaths: ['/srv/catalogs'],
      allowPrivateIP: true,
    });
    expect(checkConfigText(VALID, 'f', {}).config?.sourcesPolicy).toEqual({
      allowedPaths: [],
      allowPrivateIP: false,
    });
    expect(linesOf(VALID.replace('{mode: anonymous}', '{mode: anonymous, sourcesPolicy: {}}'))).toHaveLength(
      1,
    );
  });

  it('lists all problems at once, of the schema and of the rules, in the order of the file', () => {
    const text = `sources:
  - name: acme
    file: {path: c.json, url: 7}
  - name: acme
    managed: {}
registries:
  - name: main
    sources: [acme, akme]
    colour: red
limits: {maxPageSize: many}
`;
    expect(linesOf(text).map((line) => line.split(' ')[0])).toEqual([
      'f:1:1:',
      'f:2:5:',
      'f:3:26:',
      'f:3:31:',
      'f:4:11:',
      'f:8:21:',
      'f:9:5:',
      'f:10:23:',
    ]);
  });

  it('does not take a limit from database.maxMetaSize when limits gives its own', () => {
    const older = `${VALID}database: {host: db, maxMetaSize: 4096}\n`;
    expect(checkConfigText(older, 'f', {}).config?.limits.maxMetaBytes).toBe(4096);
    const both = `${older}limits: {maxMetaBytes: 512}\n`;
    expect(checkConfigText(both, 'f', {}).config?.limits.maxMetaBytes).toBe(512);
  });
});

describe('a configuration of an existing registry of this kind', () => {
  it(`${proves('C-2-09')} loads unchanged`, () => {
    const text = `sources:
  - name: upstream
    git: {repository: "https://git.example.com/acme/catalog.git", branch: main, path: registry.json}
    syncPolicy: {interval: "30m"}
    filter:
      names: {include: ["io.acme/*"], exclude: ["*/internal-*"]}
      tags: {include: [database], exclude: [experimental]}
    claims: {realmRoles: [reader], org: acme}
  - name: remote
    api: {endpoint: "https://registry.example.com", timeout: 30s}
    syncPolicy: {interval: 1h}
  - name: local
    file: {path: /data/registry.json}
    syncPolicy: {interval: 15m}
  - {name: published, managed: {}}
  - {name: cluster, kubernetes: {namespaces: [mcp]}}
registries:
  - {name: default, sources: [published, upstream, remote, local, cluster], claims: {org: acme}}
auth:
  mode: oauth
  publicPaths: [/docs]
  oauth:
    resourceUrl: https://registry.acme.com
    realm: acme
    providers:
      - name: keycloak
        issuerUrl: https://id.acme.com/realms/acme
        audience: registry
        introspectionUrl: https://id.acme.com/introspect
        clientId: registry
        clientSecretFile: /secrets/client
      - name: kubernetes
        issuerUrl: https://kubernetes.default.svc
        jwksUrl: https://kubernetes.default.svc/openid/v1/jwks
        audience: registry
        caCertPath: /var/run/secrets/ca.crt
        authTokenFile: /var/run/secrets/token
        allowPrivateIP: true
  authz: {roles: {superAdmin: [{realmRoles: admin}], manageEntries: [{realmRoles: [writer, editor]}, {}]}}
database:
  host: postgres
  port: 5432
  user: app
  migrationUser: owner
  password: secret
  migrationPassword: secret
  database: registry
  sslMode: require
  maxOpenConns: 10
  maxIdleConns: 2
  connMaxLifetime: 30m
  maxMetaSize: 262144
audit: {enabled: true, logFile: /var/log/audit.log, eventTypes: [entry.publish], includeRequestData: true, maxDataSize: 1024}
telemetry:
  enabled: true
  serviceName: registry
  serviceVersion: 1.0.0
  endpoint: localhost:4318
  insecure: true
  tracing: {enabled: true, sampling: 0.05}
  metrics: {enabled: true}
`;
    expect(linesOf(text)).toEqual([]);
  });
});

describe('loadConfig', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'berth-config-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it(`${proves('C-2-19')} gives the configuration with absolute directories beside the file`, async () => {
    const file = path.join(directory, 'r.yaml');
    await writeFile(file, `${VALID}dataDir: state\n`);
    const loaded = await loadConfig(file, { env: {} });
    expect(loaded).toMatchObject({ file, baseDir: directory, dataDir: path.join(directory, 'state') });
  });

  it('throws all problems, each with the path as it was given', async () => {
    const error = await loadConfig('./some/r.yaml', {
      env: {},
      readFile: async () => VALID.replace('[acme]', '[akme]').replace('30m', 'x'),
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      code: 'config_invalid',
      at: { file: './some/r.yaml', line: 4, column: 28 },
    });
    expect(messageOf(error).split('\n')).toEqual([
      './some/r.yaml:4:28: sources[0].syncPolicy.interval must be a duration such as 30s, 5m or 1h30m',
      './some/r.yaml:7:15: registries[0].sources[0]: there is no source "akme"; known: acme. Did you mean "acme"?'.replace(
        ':7:',
        ':7:',
      ),
    ]);
  });

  it('names a file that does not exist as it was given, without the directory of the host', async () => {
    const error = await loadConfig('nowhere/r.yaml').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'config_not_found', problems: [] });
    expect(messageOf(error)).toBe(
      'nowhere/r.yaml: the configuration file does not exist. Create it, or name another one with --config.',
    );
  });

  it('refuses a directory', async () => {
    await expect(loadConfig(directory)).rejects.toMatchObject({ code: 'config_unreadable' });
  });
});

describe('--auth-mode', () => {
  const readAs = (text: string) => ({ env: {}, readFile: async () => text });
  const oauth =
    'auth: {oauth: {resourceUrl: "https://r.acme.com", providers: [{name: a, issuerUrl: "https://id.acme.com", audience: x}]}}\n';

  it('rescues a configuration without auth when it says anonymous', async () => {
    await expect(loadConfig('f', readAs(SOURCES + REGISTRIES))).rejects.toMatchObject({
      code: 'config_invalid',
    });
    const loaded = await loadConfig('f', { ...readAs(SOURCES + REGISTRIES), authMode: 'anonymous' });
    expect(loaded.config.auth?.mode).toBe('anonymous');
  });

  it('wins over the environment and the file', async () => {
    const loaded = await loadConfig('f', {
      ...readAs(SOURCES + REGISTRIES + oauth),
      env: { BERTH_AUTH_MODE: 'oauth' },
      authMode: 'anonymous',
    });
    expect(loaded.config.auth?.mode).toBe('anonymous');
  });

  it('is refused when it says oauth and there are no providers', () => {
    expect(linesOf(VALID, {}, { authMode: 'oauth' })).toEqual([
      'f:8:8: mode oauth needs an identity provider, but auth.oauth.providers is missing. Add auth.oauth.resourceUrl and auth.oauth.providers, or set auth.mode: anonymous (development only).',
    ]);
  });
});
