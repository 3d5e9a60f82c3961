import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../cli/run/plan.ts';
import { resolvePlan } from '../../../cli/run/resolve-plan.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { proves } from '../../requirements/proves.ts';
import { enterDirectory } from '../working-directory.ts';
import { parseFlags, parseWords } from './parse-words.ts';

interface Row {
  /** As in specification 4.1; the reader of the table compares. */
  readonly flag: string;
  readonly pick: (plan: Plan) => unknown;
  readonly otherwise: unknown;
  readonly given: readonly string[];
  readonly becomes: unknown;
  /** Values that end with exit 2. */
  readonly refused?: readonly string[][];
}

const IMAGE = 'example.com/team/img:1';

async function planOf(words: readonly string[], cwd: string): Promise<Plan> {
  const flags = await parseWords(words, cwd);
  const resolved = await resolvePlan(words.at(-1), flags, {
    cwd,
    openRegistry: () => Promise.reject(new Error('the registry is not asked')),
  });
  return resolved.plan;
}

const protocolMember = (member: string) => (plan: Plan) =>
  plan.server.kind === 'protocol'
    ? Object.entries(plan.server).find(([key]) => key === member)?.[1]
    : undefined;

const ROWS: readonly Row[] = [
  {
    flag: '--name',
    pick: (p) => p.name,
    otherwise: 'team-img',
    given: ['--name', 'A.b_c-9'],
    becomes: 'A.b_c-9',
    refused: [['../x'], ['-lead'], ['.dot'], ['a b'], ['a/b'], ['x'.repeat(101)], ['ü'], ['']],
  },
  {
    flag: '--group',
    pick: (p) => p.group,
    otherwise: 'default',
    given: ['--group', 'red'],
    becomes: 'red',
    refused: [[''], ['a/b']],
  },
  {
    flag: '--transport',
    pick: (p) => p.transport,
    otherwise: 'stdio',
    given: ['--transport', 'sse'],
    becomes: 'sse',
    refused: [['carrier-pigeon'], ['STDIO'], ['']],
  },
  {
    flag: '--proxy-mode',
    pick: (p) => p.proxy.mode,
    otherwise: 'streamable-http',
    given: ['--proxy-mode', 'sse'],
    becomes: 'sse',
    refused: [['telepathy']],
  },
  {
    flag: '--host',
    pick: (p) => p.proxy.host,
    otherwise: '127.0.0.1',
    given: ['--host', '::1'],
    becomes: '::1',
    refused: [['a b'], ['999.1.1.1'], ['http://x']],
  },
  {
    flag: '--proxy-port',
    pick: (p) => p.proxy.port,
    otherwise: undefined,
    given: ['--proxy-port', '65535'],
    becomes: 65_535,
    refused: [['0'], ['65536'], ['abc'], ['1.5'], ['99999']],
  },
  {
    flag: '--target-host',
    pick: (p) => p.target.host,
    otherwise: '127.0.0.1',
    given: ['--target-host', 'mcp.local'],
    becomes: 'mcp.local',
    refused: [['a b']],
  },
  {
    flag: '--target-port',
    pick: (p) => p.target.port,
    otherwise: undefined,
    given: ['--target-port', '8080'],
    becomes: 8080,
    refused: [['-1'], ['x']],
  },
  {
    flag: '-p',
    pick: (p) => p.network.publish,
    otherwise: [],
    given: ['-p', '8080:80', '--publish', '90:91'],
    becomes: [
      { host: 8080, container: 80 },
      { host: 90, container: 91 },
    ],
    refused: [['abc'], ['80'], ['1:2:3'], ['0:1'], ['1:70000'], ['80/tcp']],
  },
  {
    flag: '--network',
    pick: (p) => p.network.mode,
    otherwise: undefined,
    given: ['--network', 'mine'],
    becomes: 'mine',
    refused: [['']],
  },
  {
    flag: '--isolate-network',
    pick: (p) => p.network.isolate,
    otherwise: true,
    given: ['--isolate-network=false'],
    becomes: false,
  },
  {
    flag: '--allow-docker-gateway',
    pick: (p) => p.network.allowDockerGateway,
    otherwise: false,
    given: ['--allow-docker-gateway'],
    becomes: true,
  },
  {
    flag: '--permission-profile',
    pick: (p) => p.profile.network.outbound.insecure_allow_all,
    otherwise: true,
    given: ['--permission-profile', 'none'],
    becomes: false,
  },
  {
    flag: '-e',
    pick: (p) => p.env,
    otherwise: {},
    given: ['-e', 'A=1', '-eB=x=y', '--env', 'C=a,b', '--env', 'D='],
    becomes: { A: '1', B: 'x=y', C: 'a,b', D: '' },
    refused: [['NOEQUALS'], ['=x']],
  },
  {
    flag: '--secret',
    pick: (p) => p.secrets,
    otherwise: {},
    given: ['--secret', 'my secret,target=TOKEN'],
    becomes: { TOKEN: 'my secret' },
    refused: [['nothing-else'], ['a,target='], [',target=A'], ['a,goal=B']],
  },
  {
    flag: '-v',
    pick: (p) => p.volumes.map(({ target, readOnly }) => [target, readOnly]),
    otherwise: [],
    given: ['-v', './here:/a', '--volume', 'here:/b/:ro'],
    becomes: [
      ['/a', false],
      ['/b', true],
    ],
    refused: [['/here'], ['here:b'], ['here:/b:maybe'], ['here:/']],
  },
  {
    flag: '-l',
    pick: (p) => p.labels,
    otherwise: {},
    given: ['-l', 'team=blue', '--label', 'example.com/tier='],
    becomes: { team: 'blue', 'example.com/tier': '' },
    refused: [['bad key!=x'], ['x'], ['a=b c'], ['a/b/c=d'], ['dev.berth.workload=x']],
  },
  { flag: '--berth-ca-bundle', pick: (p) => p.caBundle, otherwise: undefined, given: [], becomes: undefined },
  {
    flag: '--image-verification',
    pick: (p) => p.imageVerification,
    otherwise: 'warn',
    given: ['--image-verification', 'enabled'],
    becomes: 'enabled',
    refused: [['maybe']],
  },
  {
    flag: '--ignore-globally',
    pick: (p) => p.ignore.globally,
    otherwise: true,
    given: ['--no-ignore-globally'],
    becomes: false,
  },
  {
    flag: '--print-resolved-overlays',
    pick: (p) => p.ignore.printOverlays,
    otherwise: false,
    given: ['--print-resolved-overlays'],
    becomes: true,
  },
  {
    flag: '--endpoint-prefix',
    pick: (p) => p.proxy.endpointPrefix,
    otherwise: undefined,
    given: ['--endpoint-prefix', '/a/b/'],
    becomes: '/a/b',
    refused: [['a'], ['/a?b']],
  },
  {
    flag: '--stateless',
    pick: (p) => p.proxy.stateless,
    otherwise: false,
    given: ['--stateless'],
    becomes: true,
  },
  {
    flag: '--session-ttl',
    pick: (p) => p.proxy.sessionTtlMs,
    otherwise: 7_200_000,
    given: ['--session-ttl', '1h30m'],
    becomes: 5_400_000,
    refused: [['soon'], ['30'], ['-5s']],
  },
  {
    flag: '--request-timeout',
    pick: (p) => p.proxy.requestTimeoutMs,
    otherwise: 60_000,
    given: ['--request-timeout', '1.5s'],
    becomes: 1500,
    refused: [['0'], ['x']],
  },
  {
    flag: '--allowed-origins',
    pick: (p) => p.proxy.allowedOrigins,
    otherwise: undefined,
    given: [
      '--allowed-origins',
      'https://a.example,https://b.example:8443',
      '--allowed-origins',
      'app://obsidian.md',
    ],
    becomes: ['https://a.example', 'https://b.example:8443', 'app://obsidian.md'],
    refused: [['a.example'], ['https://a.example/'], ['*']],
  },
  {
    flag: '--trust-proxy-headers',
    pick: (p) => p.proxy.trustProxyHeaders,
    otherwise: false,
    given: ['--trust-proxy-headers=true'],
    becomes: true,
  },
  {
    flag: '--tools',
    pick: (p) => p.tools.allow,
    otherwise: undefined,
    given: ['--tools', 'a,b', '--tools', 'c'],
    becomes: ['a', 'b', 'c'],
    refused: [[''], ['a,,b']],
  },
  {
    flag: '--enable-audit',
    pick: (p) => p.audit,
    otherwise: undefined,
    given: ['--enable-audit'],
    becomes: {},
  },
  { flag: '--debug', pick: (p) => p.debug, otherwise: false, given: ['--debug'], becomes: true },
  {
    flag: '--memory',
    pick: (p) => p.limits.memoryBytes,
    otherwise: undefined,
    given: ['--memory', '512m'],
    becomes: 536_870_912,
    refused: [['lots'], ['1k'], ['']],
  },
  {
    flag: '--cpus',
    pick: (p) => p.limits.cpus,
    otherwise: undefined,
    given: ['--cpus', '1.5'],
    becomes: 1.5,
    refused: [['0'], ['many']],
  },
  {
    flag: '--read-only',
    pick: (p) => p.limits.readOnlyRoot,
    otherwise: false,
    given: ['--read-only'],
    becomes: true,
  },
  {
    flag: '--otel-sampling-rate',
    pick: (p) => p.telemetry?.samplingRate,
    otherwise: undefined,
    given: ['--otel-endpoint', 'localhost:4318', '--otel-sampling-rate', '0.5'],
    becomes: 0.5,
    refused: [['1.5'], ['-1'], ['x']],
  },
];

describe('every flag of the workload', () => {
  it.each(
    ROWS,
  )(`${proves('R-4.1-01', 'R-4.1-02', 'R-4.1-03', 'R-4.1-07', 'R-4.1-15', 'R-4.1-17', 'R-4.1-18', 'R-4.1-28', 'R-4.1-34', 'R-4.1-36', 'R-4.1-48', 'R-4.1-54')} $flag has its default and its value`, async ({
    pick,
    otherwise,
    given,
    becomes,
  }) => {
    const { path } = enterDirectory();
    mkdirSync(join(path, 'here'));
    expect(pick(await planOf([IMAGE], path))).toEqual(otherwise);
    expect(pick(await planOf([...given, IMAGE], path))).toEqual(becomes);
  });

  const refused = ROWS.flatMap(({ flag, refused = [] }) => refused.map(([value = '']) => ({ flag, value })));
  it.each(
    refused,
  )(`${proves('K-8.1-12', 'K-3-04', 'K-3-09')} $flag refuses $value before anything starts`, async ({
    flag,
    value,
  }) => {
    const { path } = enterDirectory();
    mkdirSync(join(path, 'here'));
    const error = await parseFlags([`${flag}=${value}`], path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    const long = { '-e': '--env', '-p': '--publish', '-v': '--volume', '-l': '--label' }[flag] ?? flag;
    expect(error).toMatchObject({ at: { flag: long } });
  });

  it('takes builds as they are given', async () => {
    const { path } = enterDirectory();
    const words = ['--runtime-image', 'node:20', '--runtime-add-package', 'git,curl', 'npx://pkg@1'];
    const plan = await planOf(words, path);
    expect(protocolMember('runtimeImage')(plan)).toBe('node:20');
    expect(protocolMember('addPackages')(plan)).toEqual(['git', 'curl']);
  });

  it('takes zero as the default of --session-ttl', async () => {
    const { path } = enterDirectory();
    expect((await planOf(['--session-ttl', '0', IMAGE], path)).proxy.sessionTtlMs).toBe(7_200_000);
    expect((await planOf(['--session-ttl', '0s', IMAGE], path)).proxy.sessionTtlMs).toBe(7_200_000);
  });
});

describe('switches', () => {
  it.each([
    ['--isolate-network=false', false],
    ['--no-isolate-network', false],
    ['--isolate-network=0', false],
    ['--isolate-network', true],
    ['--isolate-network=TRUE', true],
  ])('%s', async (word, isolate) => {
    const { path } = enterDirectory();
    expect((await parseFlags([word], path)).network.isolate).toBe(isolate);
  });

  it('are neither here nor there otherwise', async () => {
    const { path } = enterDirectory();
    await expect(parseFlags(['--stateless=maybe'], path)).rejects.toMatchObject({
      at: { flag: '--stateless' },
    });
  });
});

describe('words', () => {
  it(`${proves('R-1-01', 'R-1-03')} keeps everything after -- for the server`, async () => {
    const { path } = enterDirectory();
    const flags = await parseWords(['img', '--name', 'n', '--', '--name', 'x', '', '-e', '--', 'a\nb'], path);
    expect(flags.name).toBe('n');
    expect(flags.args).toEqual(['--name', 'x', '', '-e', '--', 'a\nb']);
  });

  it(`${proves('R-4.1-05')} knows -f, alone and glued to others`, async () => {
    const { path } = enterDirectory();
    expect((await parseFlags([], path)).command.foreground).toBe(false);
    expect((await parseFlags(['-f'], path)).command.foreground).toBe(true);
    const flags = await parseFlags(['-feA=1', '-p80:90'], path);
    expect(flags.command.foreground).toBe(true);
    expect(flags.env).toEqual({ A: '1' });
  });

  it('refuses a word too many and nothing at all', async () => {
    const { path } = enterDirectory();
    await expect(parseWords(['img', 'more'], path)).rejects.toThrow('"more" is one word too many');
    await expect(parseWords([], path)).rejects.toThrow('nothing to run');
    await expect(parseWords(['--', 'img'], path)).rejects.toThrow('nothing to run');
  });
});

describe('flags that exclude each other', () => {
  it.each([
    [['--isolate-network', '--network', 'host'], '--network'],
    [['--isolate-network', '--network', 'none'], '--network'],
    [
      ['--remote-auth-client-secret', 'a', '--remote-auth-client-secret-file', 'f'],
      '--remote-auth-client-secret',
    ],
    [
      ['--remote-auth-bearer-token', 'a', '--remote-auth-bearer-token-file', 'f'],
      '--remote-auth-bearer-token',
    ],
    [
      ['--token-exchange-client-secret', 'a', '--token-exchange-client-secret-file', 'f'],
      '--token-exchange-client-secret',
    ],
    [
      ['--remote-auth-issuer', 'https://i', '--remote-auth-authorize-url', 'https://a'],
      '--remote-auth-issuer',
    ],
    [['--remote-auth-authorize-url', 'https://a'], '--remote-auth-authorize-url'],
    [['--remote-auth-bearer-token', 'a', '--remote-auth-client-id', 'c'], '--remote-auth-bearer-token'],
    [['-e', 'A=1', '--secret', 's,target=A'], '--secret'],
    [['--oidc-issuer', 'http://127.0.0.1:1'], '--oidc-issuer'],
    [['--oidc-audience', 'a'], '--oidc-audience'],
  ])(`${proves('K-8.1-13')} %j`, async (words, flag) => {
    const { path } = enterDirectory();
    const error = await parseFlags(words, path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ at: { flag } });
  });

  it(`${proves('R-1-14')} drops isolation for the host network, with a warning unless it was asked for`, async () => {
    const { path } = enterDirectory();
    for (const network of ['host', 'none']) {
      const dropped = await parseFlags(['--network', network], path);
      expect(dropped.network.isolate).toBe(false);
      expect(dropped.warnings).toEqual([expect.stringContaining(network)]);
      expect((await parseFlags(['--network', network, '--isolate-network=false'], path)).warnings).toEqual(
        [],
      );
    }
  });

  it(`${proves('R-4.1-09')} says that --proxy-mode sse is deprecated`, async () => {
    const { path } = enterDirectory();
    expect((await parseFlags(['--proxy-mode', 'sse'], path)).warnings).toEqual([
      expect.stringContaining('deprecated'),
    ]);
  });

  it(`${proves('R-4.1-51')} warns of a proxy open to every origin beyond loopback`, async () => {
    const { path } = enterDirectory();
    expect((await parseFlags(['--host', '0.0.0.0'], path)).warnings).toEqual([
      expect.stringContaining('--allowed-origins'),
    ]);
    expect(
      (await parseFlags(['--host', '0.0.0.0', '--allowed-origins', 'https://a'], path)).warnings,
    ).toEqual([]);
    expect((await parseFlags(['--host', '127.0.0.2'], path)).warnings).toEqual([]);
  });
});

describe('forward headers', () => {
  const names = [
    'Host',
    'content-length',
    'Connection',
    'TE',
    'Upgrade',
    'Forwarded',
    'X-Forwarded-For',
    'Transfer-Encoding',
  ];
  it.each(names)(`${proves('K-8.7-11')} refuses %s`, async (name) => {
    const { path } = enterDirectory();
    await expect(parseFlags(['--remote-forward-headers', `${name}=x`], path)).rejects.toBeInstanceOf(
      UsageError,
    );
    await expect(parseFlags(['--remote-forward-headers-secret', `${name}=x`], path)).rejects.toBeInstanceOf(
      UsageError,
    );
  });

  it(`${proves('K-8.7-11')} refuses control characters and tells no value`, async () => {
    const { path } = enterDirectory();
    const error: unknown = await parseFlags(['--remote-forward-headers', 'X-Key=hush\r\nX: y'], path).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain('hush');
  });

  it('keeps a value with = and commas, the last of a name wins', async () => {
    const { path } = enterDirectory();
    const words = ['--remote-forward-headers', 'Accept=a,b=c', '--remote-forward-headers', 'accept=d'];
    expect((await parseFlags(words, path)).forwardHeaders?.plain).toEqual({ accept: 'd' });
    expect((await parseFlags(words.slice(0, 2), path)).forwardHeaders?.plain).toEqual({ Accept: 'a,b=c' });
  });
});

describe('files', () => {
  const files = [
    '--env-file',
    '--env-file-dir',
    '--permission-profile',
    '--tools-override',
    '--authz-config',
    '--audit-config',
    '--webhook-config',
    '--ca-cert',
    '--berth-ca-bundle',
    '--jwks-auth-token-file',
    '--remote-auth-client-secret-file',
    '--remote-auth-bearer-token-file',
  ];
  it.each(files)(`${proves('K-8.1-14')} %s names the file that is missing, exit 1`, async (flag) => {
    const { path } = enterDirectory();
    const error = await parseFlags([flag, 'nope.x', '--oidc-issuer', 'https://i.example'], path).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'file_unreadable', at: { flag } });
    expect(error).not.toBeInstanceOf(UsageError);
    expect(String(error)).toContain(join(path, 'nope.x'));
  });

  it('names a volume that is missing', async () => {
    const { path } = enterDirectory();
    await expect(parseFlags(['-v', 'nope:/x'], path)).rejects.toMatchObject({ code: 'volume_missing' });
  });

  it(`${proves('R-4.1-25')} reads a profile strictly, with line and key`, async () => {
    const { path, write } = enterDirectory();
    write('good.json', { network: { outbound: { allow_host: ['.example.com'], allow_port: [443] } } });
    const flags = await parseFlags(['--permission-profile', 'good.json'], path);
    expect(flags.profile?.network.outbound.allow_host).toEqual(['.example.com']);
    write('bad.json', '{\n "network": {"outbond": {}}\n}');
    await expect(parseFlags(['--permission-profile', 'bad.json'], path)).rejects.toThrow(
      /bad\.json:2:.*outbond/s,
    );
  });

  it(`${proves('R-4.1-23', 'R-4.1-24')} knows the profiles none and network`, async () => {
    const { path } = enterDirectory();
    expect((await parseFlags(['--permission-profile', 'none'], path)).profile?.name).toBe('none');
    expect((await parseFlags(['--permission-profile', 'network'], path)).profile?.name).toBe('network');
  });

  it('reads renamed tools, and refuses a tool that is given nothing', async () => {
    const { path, write } = enterDirectory();
    write('t.json', { toolsOverride: { fetch: { name: 'get', description: 'Gets' } } });
    expect((await parseFlags(['--tools-override', 't.json'], path)).tools.override).toEqual({
      fetch: { name: 'get', description: 'Gets' },
    });
    write('t.json', { toolsOverride: { fetch: {} } });
    await expect(parseFlags(['--tools-override', 't.json'], path)).rejects.toThrow(/t\.json:/);
  });

  it('refuses an empty secret file', async () => {
    const { path, write } = enterDirectory();
    write('s', ' \n');
    await expect(parseFlags(['--remote-auth-bearer-token-file', 's'], path)).rejects.toMatchObject({
      code: 'secret_file_empty',
    });
  });
});

describe('environment files', () => {
  it(`${proves('R-4.1-29', 'R-4.1-30', 'R-4.1-27', 'K-8.1-19', 'K-8.1-20', 'K-8.1-21')} by precedence`, async () => {
    const { path, write } = enterDirectory();
    write(
      'one.env',
      '\ufeff# comment\r\n\r\n  # more\nA=file\nB=file\nexport C=file\nEMPTY=\nEQ=a=b=c\nQ="kept"\n',
    );
    write('dir/10.env', 'B=dir10\nC=dir10\nD=dir10\n');
    write('dir/20.env', 'D=dir20\n');
    write('dir/.hidden', 'A=hidden\n');
    mkdirSync(join(path, 'dir', 'sub'));
    const words = ['--env-file', 'one.env', '--env-file-dir', 'dir', '-e', 'C=flag', '-e', 'E=sp ace=1'];
    expect((await parseFlags(words, path)).env).toEqual({
      A: 'file',
      B: 'dir10',
      C: 'flag',
      D: 'dir20',
      E: 'sp ace=1',
      EMPTY: '',
      EQ: 'a=b=c',
      Q: '"kept"',
    });
  });

  it.each([
    ['A=1\nNOPE\n', 2],
    ['1A=1\n', 1],
    ['\n\nA B=1', 3],
    ['=x', 1],
  ])('%j is refused with its line', async (text, line) => {
    const { path } = enterDirectory();
    const file = join(path, 'x.env');
    writeFileSync(file, text);
    const error = await parseFlags(['--env-file', 'x.env'], path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'env_file_invalid', at: { file, line } });
  });
});

describe('groups of flags', () => {
  it('reads telemetry, and none without an endpoint', async () => {
    const { path } = enterDirectory();
    const words = [
      '--otel-endpoint',
      'https://o.example',
      '--otel-headers',
      'a=1,b=2',
      '--otel-headers',
      'c=x,y',
      '--otel-custom-attributes',
      'env=prod, team=x',
      '--otel-env-vars',
      'A,B',
      '--otel-tracing-enabled=false',
    ];
    const flags = await parseFlags(words, path);
    expect(flags.given).toEqual({ telemetryHeaders: { a: '1', b: '2', c: 'x,y' } });
    expect(flags.telemetry).toEqual({
      endpoint: 'https://o.example',
      attributes: { env: 'prod', team: 'x' },
      envVars: ['A', 'B'],
      tracing: false,
    });
    const idle = await parseFlags(['--otel-insecure'], path);
    expect(idle.telemetry).toBeUndefined();
    expect(idle.warnings).toHaveLength(1);
    expect((await parseFlags(['--otel-enable-prometheus-metrics-path'], path)).telemetry).toEqual({
      prometheusPath: true,
    });
  });

  it('reads what tokens are checked with, the secret apart', async () => {
    const { path } = enterDirectory();
    const flags = await parseFlags(
      [
        '--oidc-issuer',
        'http://127.0.0.1:1',
        '--oidc-insecure-allow-http',
        '--oidc-client-secret',
        'hush',
        '--oidc-scopes',
        'a,b',
      ],
      path,
    );
    expect(flags.oidc).toEqual({ issuer: 'http://127.0.0.1:1', insecureAllowHttp: true, scopes: ['a', 'b'] });
    expect(flags.given).toEqual({ oidcClientSecret: 'hush' });
  });

  it('reads the exchange of tokens, and none without its URL', async () => {
    const { path, write } = enterDirectory();
    write('secret', 'hush\n');
    const words = ['--token-exchange-client-secret-file', 'secret', '--token-exchange-scopes', 'a,b'];
    expect(await parseFlags(words, path)).not.toHaveProperty('tokenExchange');
    const flags = await parseFlags([...words, '--token-exchange-url', 'http://127.0.0.1/t'], path);
    expect(flags.tokenExchange).toEqual({ url: 'http://127.0.0.1/t', scopes: ['a', 'b'] });
    expect(flags.given).toEqual({ tokenExchangeClientSecret: 'hush' });
  });
});
