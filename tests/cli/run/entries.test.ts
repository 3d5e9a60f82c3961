import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MissingInput } from '../../../cli/run/entry/input.ts';
import { referToSecrets } from '../../../cli/run/store-given-secrets.ts';
import { proves } from '../../requirements/proves.ts';
import { enterDirectory } from '../working-directory.ts';
import { listEntries, makeEntry, resolveWords } from './make-entry.ts';

const NAME = 'io.example/it';

/** The plan of `run io.example/it …` with one package. */
async function planWith(pack: object, extra?: object, words: readonly string[] = [], cwd = '/') {
  const { plan } = await resolveWords([NAME, ...words], listEntries(makeEntry(NAME, pack, extra)), { cwd });
  return plan;
}

describe('what an entry gives', () => {
  it(`${proves('R-1-04', 'K-2-10', 'K-2-12', 'K-2-13', 'K-2-14', 'K-2-15', 'K-8.3-02', 'R-4.1-26')} is in the plan`, async () => {
    const plan = await planWith(
      {
        transport: { type: 'streamable-http', url: 'http://localhost:{PORT}/mcp' },
        environmentVariables: [
          { name: 'GREETING', default: 'two' },
          { name: 'COLOR', default: 'red', choices: ['red', 'blue'] },
          {
            name: 'URL',
            value: 'https://{host}/{path}',
            variables: { host: { default: 'h' }, path: { value: 'p' } },
          },
          { name: 'PORT', default: '8080', format: 'number' },
          { name: 'OPTIONAL', description: 'left out' },
        ],
        packageArguments: [
          { type: 'positional', value: 'pos-arg' },
          { type: 'named', name: '--marker', value: 'named-{x}', variables: { x: { default: 'arg' } } },
          { type: 'named', name: '--verbose' },
          { type: 'named', name: '--json', format: 'boolean', default: 'true' },
          { type: 'named', name: '--no', format: 'boolean', default: 'false' },
          { type: 'positional', valueHint: 'not_given' },
        ],
        runtimeArguments: [{ type: 'named', name: '-e', value: 'FROM_RUNTIME=1' }],
      },
      {
        tools: ['echo', 'env'],
        proxy_port: 8123,
        permissions: { network: { outbound: { allow_host: ['example.com'], allow_port: [443] } } },
        provenance: {
          sigstore_url: 'tuf.example',
          repository_uri: 'https://r',
          signer_identity: '/w.yml',
          cert_issuer: 'https://i',
          attestation: { predicate_type: 't', predicate: { a: 1 } },
        },
      },
    );
    expect(plan).toMatchObject({
      name: 'io-example-it',
      server: { kind: 'image', image: 'example.com/img:1' },
      origin: { registry: 'http://registry.test', name: NAME, version: '1.0.0' },
      transport: 'streamable-http',
      target: { port: 8080, path: '/mcp' },
      proxy: { port: 8123 },
      args: ['pos-arg', '--marker', 'named-arg', '--verbose', '--json'],
      profile: {
        network: { outbound: { insecure_allow_all: false, allow_host: ['example.com'], allow_port: [443] } },
      },
      provenance: {
        sigstoreUrl: 'tuf.example',
        repositoryUri: 'https://r',
        signerIdentity: '/w.yml',
        certIssuer: 'https://i',
        attestation: { predicateType: 't', predicate: { a: 1 } },
      },
    });
    expect(plan.env).toEqual({
      GREETING: 'two',
      COLOR: 'red',
      URL: 'https://h/p',
      PORT: '8080',
      FROM_RUNTIME: '1',
    });
  });

  it(`${proves('K-2-16')} yields to flags field by field`, async () => {
    const pack = {
      transport: { type: 'streamable-http', url: 'http://localhost:8080/mcp' },
      environmentVariables: [
        { name: 'A', default: '1' },
        { name: 'B', default: '1' },
      ],
      packageArguments: [{ type: 'positional', value: 'x' }],
    };
    const extra = { proxy_port: 8123, permissions: { network: { outbound: { insecure_allow_all: true } } } };
    const words = [
      '--name',
      'n',
      '--transport',
      'sse',
      '--target-port',
      '9',
      '--proxy-port',
      '10',
      '-e',
      'A=2',
      '--permission-profile',
      'none',
      '--',
      'y',
    ];
    const plan = await planWith(pack, extra, words);
    expect(plan).toMatchObject({
      name: 'n',
      transport: 'sse',
      target: { port: 9, path: '/mcp' },
      proxy: { port: 10 },
      env: { A: '2', B: '1' },
      args: ['y'],
    });
    expect(plan.profile.network.outbound.insecure_allow_all).toBe(false);
    const secret = await planWith(pack, extra, ['--secret', 's,target=B']);
    expect(secret.env).toEqual({ A: '1' });
    expect(secret.secrets).toEqual({ B: 's' });
  });

  it('opens the network only: mounts and privileges are for its user to give', async () => {
    const extra = {
      permissions: {
        read: ['/etc'],
        write: ['/'],
        privileged: true,
        network: { outbound: { allow_host: ['a.b'] } },
      },
    };
    const { plan, warnings } = await resolveWords([NAME], listEntries(makeEntry(NAME, {}, extra)));
    expect(plan.profile).toMatchObject({
      read: [],
      write: [],
      privileged: false,
      network: { outbound: { allow_host: ['a.b'] } },
    });
    expect(warnings).toHaveLength(2);
  });

  it('opens nothing when its permissions cannot be read', async () => {
    const extra = { permissions: { network: { outbound: { allow_everything: true } } } };
    const { plan, warnings } = await resolveWords([NAME], listEntries(makeEntry(NAME, {}, extra)));
    expect(plan.profile.network.outbound.insecure_allow_all).toBe(false);
    expect(warnings).toEqual([expect.stringContaining('nothing is opened')]);
  });

  it('mounts what its user gave, and nothing else it asks of the engine', async () => {
    const { path } = enterDirectory();
    mkdirSync(join(path, 'work'));
    const pack = {
      runtimeArguments: [
        {
          type: 'named',
          name: '--volume',
          value: '{workspace}:/workspace',
          variables: { workspace: { isRequired: true } },
        },
        { type: 'named', name: '-v', value: '/:/host' },
        { type: 'named', name: '--user', value: '0' },
        { type: 'named', name: '--rm' },
      ],
    };
    const words = [NAME, '-e', 'workspace=work'];
    const resolved = await resolveWords(words, listEntries(makeEntry(NAME, pack)), { cwd: path });
    expect(resolved.plan.volumes).toEqual([
      { source: join(path, 'work'), target: '/workspace', readOnly: false },
    ]);
    expect(resolved.plan.env).toEqual({});
    expect(resolved.warnings).toEqual([expect.stringContaining('-v /:/host, --user 0')]);
  });
});

describe('the package', () => {
  const packs = {
    nuget: { registryType: 'nuget', identifier: 'N', version: '1', transport: { type: 'stdio' } },
    pypi: { registryType: 'pypi', identifier: 'py', version: '2', transport: { type: 'stdio' } },
    npm: {
      registryType: 'npm',
      identifier: '@a/js',
      version: '3',
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      runtimeArguments: [{ type: 'named', name: '-y' }],
    },
    oci: {
      registryType: 'oci',
      identifier: 'team/img',
      version: '4',
      registryBaseUrl: 'https://ghcr.io',
      transport: { type: 'stdio' },
    },
  };
  const remote = {
    type: 'sse',
    url: 'https://{tenant}.example/sse',
    variables: { tenant: { default: 't' } },
    headers: [{ name: 'X-Plain', value: 'v' }],
  };
  const all = makeEntry(NAME, {}, undefined, { packages: Object.values(packs), remotes: [remote] });
  const only = (...packages: object[]) => makeEntry(NAME, {}, undefined, { packages, remotes: [remote] });

  it.each([
    [all, [], { kind: 'image', image: 'ghcr.io/team/img:4' }],
    [
      only(packs.nuget, packs.pypi, packs.npm),
      [],
      { kind: 'protocol', scheme: 'npx', package: '@a/js@3', runtimeArguments: ['-y'] },
    ],
    [only(packs.nuget, packs.pypi), [], { kind: 'protocol', scheme: 'uvx', package: 'py@2' }],
    [only(packs.nuget), [], { kind: 'remote', url: 'https://t.example/sse' }],
    [all, ['--package', '2'], { kind: 'protocol', scheme: 'uvx' }],
    [all, ['--package', '5'], { kind: 'remote' }],
  ])(`${proves('K-2-09', 'K-2-10', 'K-2-11')} is the first supported one, or the one of the number`, async (entry, words, server) => {
    expect((await resolveWords([NAME, ...words], listEntries(entry))).plan.server).toMatchObject(server);
  });

  it('of a number there is not, or of a type that cannot be run, is an error that lists them', async () => {
    await expect(resolveWords([NAME, '--package', '9'], listEntries(all))).rejects.toMatchObject({
      code: 'package_unknown',
      fix: expect.stringContaining('4: oci team/img'),
    });
    await expect(resolveWords([NAME, '--package', '1'], listEntries(all))).rejects.toMatchObject({
      code: 'package_unsupported',
    });
  });

  it('of a remote has its headers and transport', async () => {
    const { plan } = await resolveWords(
      [NAME, '--remote-forward-headers', 'x-plain=mine'],
      listEntries(only(packs.nuget)),
    );
    expect(plan).toMatchObject({ transport: 'sse', forwardHeaders: { plain: { 'x-plain': 'mine' } } });
    expect(plan.forwardHeaders?.plain).not.toHaveProperty('X-Plain');
  });
});

describe('versions', () => {
  const registry = listEntries(makeEntry(NAME, {}, undefined, { version: '2.0.0' }), makeEntry(NAME));

  it(`${proves('K-2-04')} are chosen by name@version`, async () => {
    expect((await resolveWords([NAME], registry)).plan.origin?.version).toBe('2.0.0');
    expect((await resolveWords([`${NAME}@1.0.0`], registry)).plan.origin?.version).toBe('1.0.0');
    expect((await resolveWords(['it@1.0.0'], registry)).plan.origin?.version).toBe('1.0.0');
    await expect(resolveWords([`${NAME}@9.9.9`], registry)).rejects.toMatchObject({
      code: 'version_unknown',
      message: expect.stringContaining('9.9.9'),
    });
  });
});

describe('tools', () => {
  const registry = listEntries(makeEntry(NAME, {}, { tools: ['fetch', 'other'] }));

  it(`${proves('K-2-17', 'K-8.1-16')} the entry does not list are refused`, async () => {
    expect((await resolveWords([NAME, '--tools', 'fetch'], registry)).plan.tools.allow).toEqual(['fetch']);
    await expect(resolveWords([NAME, '--tools', 'fetch,no_such_tool'], registry)).rejects.toMatchObject({
      code: 'tool_unknown',
      message: expect.stringContaining('no_such_tool'),
    });
  });

  it('are named as clients see them', async () => {
    const { path, write } = enterDirectory();
    write('t.json', { toolsOverride: { fetch: { name: 'get' } } });
    const words = (tool: string) => [NAME, '--tools', tool, '--tools-override', 't.json'];
    expect((await resolveWords(words('get'), registry, { cwd: path })).plan.tools.allow).toEqual(['get']);
    await expect(resolveWords(words('fetch'), registry, { cwd: path })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
  });
});

describe('what an entry requires', () => {
  const pack = {
    environmentVariables: [
      { name: 'API_KEY', description: 'The key', isRequired: true, isSecret: true },
      { name: 'REGION', isRequired: true, choices: ['eu', 'us'] },
    ],
    packageArguments: [{ type: 'positional', valueHint: 'directory', isRequired: true }],
  };
  const registry = listEntries(makeEntry(NAME, pack));

  it(`${proves('K-1-10', 'K-8.1-15')} is named with its flag without a terminal`, async () => {
    const error = await resolveWords([NAME], registry).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'input_missing' });
    expect(String(error)).toContain('API_KEY (The key): --secret NAME,target=API_KEY');
    expect(String(error)).toContain('REGION (one of eu, us): -e REGION=VALUE');
    expect(String(error)).toContain('directory: as argument after --');
  });

  it('is satisfied by -e, an environment file, --secret and arguments', async () => {
    const { path, write } = enterDirectory();
    write('x.env', 'REGION=eu\n');
    const words = [NAME, '--env-file', 'x.env', '--secret', 'k,target=API_KEY', '--', '/data'];
    const { plan } = await resolveWords(words, registry, { cwd: path });
    expect(plan).toMatchObject({ env: { REGION: 'eu' }, secrets: { API_KEY: 'k' }, args: ['/data'] });
  });

  it(`${proves('K-1-09')} is asked for on a terminal, and secrets do not enter the plan`, async () => {
    const asked: MissingInput[] = [];
    const resolved = await resolveWords([NAME], registry, {
      askInputs: async (missing) => {
        asked.push(...missing);
        return new Map([
          ['API_KEY', 'hush'],
          ['REGION', 'us'],
          ['directory', '/d'],
        ]);
      },
    });
    expect(asked.map(({ name, secret }) => [name, secret])).toEqual([
      ['API_KEY', true],
      ['REGION', false],
      ['directory', false],
    ]);
    expect(resolved.plan).toMatchObject({ env: { REGION: 'us' }, args: ['/d'] });
    expect(JSON.stringify(resolved.plan)).not.toContain('hush');
    expect(resolved.given.env).toEqual({ API_KEY: 'hush' });
  });

  it(`${proves('K-8.2-03')} as a secret and is given by -e goes to the store`, async () => {
    const words = [NAME, '-e', 'API_KEY=hush', '-e', 'REGION=eu', '--', 'd'];
    const { plan, given } = await resolveWords(words, registry);
    const referring = referToSecrets(plan, given);
    expect(JSON.stringify(referring.plan)).not.toContain('hush');
    expect(referring.plan.secrets).toEqual({ API_KEY: 'berth.io-example-it.env.API_KEY' });
    expect([...referring.values]).toEqual([['berth.io-example-it.env.API_KEY', 'hush']]);
  });

  it.each([
    [{ choices: ['a', 'b'] }, 'c'],
    [{ format: 'number' }, 'x'],
    [{ format: 'boolean' }, 'yes'],
  ])('%j refuses %j', async (described, value) => {
    const entry = makeEntry(NAME, { environmentVariables: [{ name: 'V', ...described }] });
    await expect(resolveWords([NAME, '-e', `V=${value}`], listEntries(entry))).rejects.toMatchObject({
      code: 'input_refused',
      message: expect.stringContaining('V'),
    });
  });

  it('of a remote are headers, whose secrets go to the store, and variables of its URL', async () => {
    const remote = {
      type: 'streamable-http',
      url: 'https://{tenant}.example/mcp',
      variables: { tenant: { isRequired: true } },
      headers: [{ name: 'X-Key', isRequired: true, isSecret: true }],
    };
    const entry = makeEntry(NAME, {}, undefined, { packages: [], remotes: [remote] });
    const error = await resolveWords([NAME], listEntries(entry)).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('tenant: -e tenant=VALUE');
    expect(String(error)).toContain('X-Key: --remote-forward-headers-secret X-Key=SECRET-NAME');
    const words = [NAME, '-e', 'tenant=acme', '--remote-forward-headers-secret', 'X-Key=k'];
    const { plan, warnings } = await resolveWords(words, listEntries(entry));
    expect(plan).toMatchObject({
      server: { url: 'https://acme.example/mcp' },
      env: {},
      forwardHeaders: { secret: { 'X-Key': 'k' } },
    });
    expect(warnings).toEqual([]);
  });

  it('as a secret argument is refused, because arguments are seen', async () => {
    const entry = makeEntry(NAME, {
      packageArguments: [
        {
          type: 'named',
          name: '--key',
          value: '{key}',
          variables: { key: { isSecret: true, isRequired: true } },
        },
      ],
    });
    await expect(resolveWords([NAME, '-e', 'key=hush'], listEntries(entry))).rejects.toMatchObject({
      code: 'argument_secret',
    });
  });
});
