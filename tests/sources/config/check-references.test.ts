import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { AUTH, linesOf, REGISTRIES, SOURCES, VALID } from './config-texts.ts';

/** A configuration with one source, whose keys besides `name` start on line 3 column 5. */
const withSource = (keys: string): string => `sources:\n  - name: acme\n    ${keys}\n${REGISTRIES}${AUTH}`;
const often = '\n    syncPolicy: {interval: 1m}';
/** A configuration with identity providers; the first starts on line 11 column 9. */
const withProviders = (...providers: string[]): string =>
  `${SOURCES}${REGISTRIES}auth:\n  oauth:\n    resourceUrl: https://r.acme.com\n    providers:\n${providers.map((one) => `      - ${one}\n`).join('')}`;
const withDatabase = (fields: string): string => `${VALID}database: {${fields}}\n`;
const noProviders =
  'mode oauth needs an identity provider, but auth.oauth.providers is missing. Add auth.oauth.resourceUrl and auth.oauth.providers, or set auth.mode: anonymous (development only).';

type Row = [title: string, text: string, lines: string[]];

describe('rules of sources', () => {
  it.each<Row>([
    [
      'no kind',
      withSource('allowEmpty: true'),
      ['f:2:5: sources[0] has no kind; it needs exactly one of file, git, api, kubernetes, managed'],
    ],
    [
      'two kinds',
      withSource('managed: {}\n    kubernetes: {}'),
      ['f:4:5: sources[0] already has managed; kubernetes cannot be given as well. Keep one of them.'],
    ],
    [
      'the same name twice',
      withSource('managed: {}\n  - name: acme\n    managed: {}'),
      ['f:4:11: the source "acme" exists already: sources[0]'],
    ],
    ...[
      'file: {path: a}',
      'file: {url: "https://a.com"}',
      'file: {data: {}}',
      'git: {repository: r}',
      'api: {endpoint: "https://a.com"}',
    ].map(
      (kind): Row => [
        `no interval: ${kind}`,
        withSource(kind),
        [
          `f:2:5: sources[0].syncPolicy.interval is required for a ${kind.slice(0, kind.indexOf(':'))} source. Say how often it is fetched, such as syncPolicy: {interval: 30m}.`,
        ],
      ],
    ),
    [
      'no place of the file',
      withSource(`file: {}${often}`),
      ['f:3:11: sources[0].file needs exactly one of path, url, data'],
    ],
    [
      'two places of the file',
      withSource(`file: {path: a, data: {}}${often}`),
      ['f:3:21: sources[0].file already has path; data cannot be given as well. Keep one of them.'],
    ],
    [
      'a time-out for a path',
      withSource(`file: {path: a, timeout: 3s}${often}`),
      ['f:3:21: sources[0].file.timeout applies to url only. Remove it.'],
    ],
    [
      'a file over http',
      withSource(`file: {url: "http://a.com/c.json"}${often}`),
      ['f:3:17: sources[0].file.url must be https. Use https, or accept the risk with insecure: true.'],
    ],
    [
      'a host that only looks like this machine',
      withSource(`file: {url: "http://127.0.0.1.a.com/"}${often}`),
      ['f:3:17: sources[0].file.url must be https. Use https, or accept the risk with insecure: true.'],
    ],
    [
      'branch and commit',
      withSource(`git: {repository: r, commit: abcdef1, branch: b}${often}`),
      ['f:3:43: sources[0].git already has commit; branch cannot be given as well. Keep one of them.'],
    ],
    [
      'a user without password',
      withSource(`git: {repository: r, auth: {username: u}}${often}`),
      ['f:3:33: sources[0].git.auth has username without passwordFile. Give both or neither.'],
    ],
    [
      'a password without user',
      withSource(`git: {repository: r, auth: {passwordFile: p}}${often}`),
      ['f:3:33: sources[0].git.auth has passwordFile without username. Give both or neither.'],
    ],
    [
      'password and ssh key',
      withSource(`git: {repository: r, auth: {username: u, passwordFile: p, sshKeyFile: k}}${often}`),
      [
        'f:3:63: sources[0].git.auth has username or passwordFile and sshKeyFile, but there is one way to sign in. Keep username and passwordFile for https, or sshKeyFile for ssh.',
      ],
    ],
    [
      'an api that may take too long',
      withSource(`api: {endpoint: "https://a.com", timeout: 5m1s}${often}`),
      ['f:3:47: sources[0].api.timeout must be at most 5m'],
    ],
    [
      'two ways to sign in',
      withSource(
        `api: {endpoint: "https://a.com", auth: {tokenFile: t, clientCredentials: {tokenUrl: "https://a.com", clientId: c, clientSecretFile: s}}}${often}`,
      ),
      [
        'f:3:59: sources[0].api.auth already has tokenFile; clientCredentials cannot be given as well. Keep one of them.',
      ],
    ],
    [
      'an open class',
      withSource('managed: {}\n    filter: {names: {include: [a, "b[c"]}}'),
      ['f:4:35: sources[0].filter.names.include[1]: the pattern has a "[" without its "]"'],
    ],
    [
      'an open brace',
      withSource('managed: {}\n    filter: {names: {exclude: ["{a,b"]}}'),
      ['f:4:32: sources[0].filter.names.exclude[0]: the pattern has a "{" without its "}"'],
    ],
    [
      'a brace too many',
      withSource('managed: {}\n    filter: {names: {exclude: ["a}"]}}'),
      ['f:4:32: sources[0].filter.names.exclude[0]: the pattern has a "}" without its "{"'],
    ],
    [
      'a lone backslash',
      withSource("managed: {}\n    filter: {names: {exclude: ['a\\']}}"),
      ['f:4:32: sources[0].filter.names.exclude[0]: the pattern ends in a backslash that escapes nothing'],
    ],
    [
      'an empty pattern',
      withSource('managed: {}\n    filter: {names: {exclude: [""]}}'),
      ['f:4:32: sources[0].filter.names.exclude[0]: the pattern is empty and matches nothing'],
    ],
  ])(`${proves('C-2-11', 'C-2-12', 'C-2-14', 'C-2-18', 'C-2-20', 'C-2-25')} refuse %s`, (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it.each([
    'managed: {}',
    'kubernetes: {}',
    `file: {url: "http://127.9.9.9:1/c"}${often}`,
    `file: {url: "http://[::1]:1/c"}${often}`,
    `file: {url: "http://localhost/c", timeout: 3s}${often}`,
    `file: {url: "http://a.com/c", insecure: true}${often}`,
    `git: {repository: r, tag: v1, auth: {username: u, passwordFile: p}}${often}`,
    `git: {repository: r, auth: {sshKeyFile: k}}${often}`,
    `api: {endpoint: "https://a.com", timeout: 5m}${often}`,
    'managed: {}\n    filter: {names: {include: ["[]a]*", "{a,b}/**", "[!]]", "\\\\["]}}',
  ])(`${proves('C-2-20', 'C-2-25', 'S-2.2-05')} accept %s`, (keys) => {
    expect(linesOf(withSource(keys))).toEqual([]);
  });
});

describe('rules of registries', () => {
  it.each<Row>([
    [
      'the same name twice',
      VALID.replace(REGISTRIES, `${REGISTRIES}  - name: main\n    sources: [acme]\n`),
      ['f:8:11: the registry "main" exists already: registries[0]'],
    ],
    [
      'a source twice',
      VALID.replace('[acme]', '[acme, acme]'),
      ['f:7:21: the source "acme" is listed twice. Keep one of them.'],
    ],
    [
      'an unknown source',
      VALID.replace('[acme]', '[acne]'),
      ['f:7:15: registries[0].sources[0]: there is no source "acne"; known: acme. Did you mean "acme"?'],
    ],
    [
      'a far source',
      VALID.replace('[acme]', '[weather]'),
      ['f:7:15: registries[0].sources[0]: there is no source "weather"; known: acme'],
    ],
  ])(`${proves('C-2-04', 'C-2-47', 'C-2-48')} refuse %s`, (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });
});

describe('rules of auth', () => {
  const https = '{name: a, issuerUrl: "https://id.acme.com", audience: x}';
  it.each<Row>([
    [
      'no auth block',
      SOURCES + REGISTRIES,
      [`f:1:1: there is no auth block, which means mode oauth; ${noProviders}`],
    ],
    ['an empty auth block', `${SOURCES}${REGISTRIES}auth: {}\n`, [`f:8:7: ${noProviders}`]],
    ['mode oauth alone', VALID.replace('anonymous', 'oauth'), [`f:8:8: ${noProviders}`]],
    [
      'oauth without providers',
      `${SOURCES}${REGISTRIES}auth:\n  oauth:\n    resourceUrl: https://r.acme.com\n`,
      [`f:10:5: ${noProviders}`],
    ],
    [
      'no provider in the list',
      `${SOURCES}${REGISTRIES}auth:\n  oauth:\n    resourceUrl: https://r.acme.com\n    providers: []\n`,
      ['f:11:16: auth.oauth.providers needs at least one identity provider'],
    ],
    [
      'an issuer over http',
      withProviders('{name: a, issuerUrl: "http://id.acme.com", audience: x, allowPrivateIP: true}'),
      [
        'f:12:30: auth.oauth.providers[0].issuerUrl must be https. Use https, or accept the risk with insecureAllowHttp: true.',
      ],
    ],
    [
      'the same provider twice',
      withProviders(https, https),
      ['f:13:16: the identity provider "a" exists already: auth.oauth.providers[0]'],
    ],
    [
      'a provider without audience',
      withProviders('{name: a, issuerUrl: "https://id.acme.com"}'),
      ['f:12:10: auth.oauth.providers[0].audience is required'],
    ],
  ])(`${proves('C-2-51', 'C-2-52', 'S-5.1-01', 'S-5.3-02', 'S-5.3-07')} refuse %s`, (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it.each([
    https,
    '{name: a, issuerUrl: "http://127.0.0.1:9/x", audience: x, allowPrivateIP: true}',
    '{name: a, issuerUrl: "http://127.0.0.1:9/x", audience: x, insecureAllowHttp: true}',
    '{name: a, issuerUrl: "http://localhost:9/x", audience: x}',
    '{name: a, issuerUrl: "http://id.acme.com", audience: x, insecureAllowHttp: true}',
  ])(`${proves('C-2-51', 'C-12.1-01')} accept the provider %s`, (provider) => {
    expect(linesOf(withProviders(provider))).toEqual([]);
  });

  it('accept a role rule that is empty', () => {
    expect(
      linesOf(VALID.replace('{mode: anonymous}', '{mode: anonymous, authz: {roles: {superAdmin: [{}]}}}')),
    ).toEqual([]);
  });
});

describe('rules of database', () => {
  it.each<Row>([
    [
      'url and fields',
      withDatabase('url: "postgres://db/x", port: 1, user: u'),
      ['port', 'user'].map(
        (key, at) =>
          `f:9:${[36, 45][at]}: database has url; ${key} cannot be given as well. Put it into the url, or describe the database by host, port, user, password, passwordFile, database, sslMode.`,
      ),
    ],
    [
      'two passwords',
      withDatabase('host: db, password: s, passwordFile: p'),
      ['f:9:35: database has password and passwordFile. Keep one of them.'],
    ],
    [
      'neither url nor host',
      withDatabase('user: u'),
      ['f:9:12: database needs url or host. Remove the block to use SQLite.'],
    ],
  ])('refuse %s', (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it.each([
    'url: "postgres://db/x?sslmode=disable", maxOpenConns: 4',
    'host: db, passwordFile: p',
    'host: db, password: s',
  ])(`${proves('C-12.1-05')} accept %s`, (fields) => {
    expect(linesOf(withDatabase(fields))).toEqual([]);
  });
});
