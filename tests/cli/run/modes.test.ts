import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWorkloadName } from '../../../cli/run/modes/derive-name.ts';
import { readImageReference } from '../../../cli/run/modes/image-reference.ts';
import { WORKLOAD_NAME } from '../../../cli/run/plan.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { BerthError } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';
import { enterDirectory } from '../working-directory.ts';
import { listEntries, makeEntry, resolveWords } from './make-entry.ts';

const AWAY = new BerthError('registry_unreachable', 'The registry cannot be reached.');
const REGISTRY = listEntries(makeEntry('io.example/echo'), makeEntry('example.com/both'));

describe('the mode', () => {
  it.each([
    ['http://127.0.0.1:1/mcp', { kind: 'remote', url: 'http://127.0.0.1:1/mcp' }],
    ['HTTPS://mcp.example.com', { kind: 'remote', url: 'HTTPS://mcp.example.com' }],
    ['npx://@scope/pkg@1.2.3', { kind: 'protocol', scheme: 'npx', package: '@scope/pkg@1.2.3' }],
    ['uvx://pkg', { kind: 'protocol', scheme: 'uvx', package: 'pkg' }],
    [
      'go://example.com/cmd/x@latest',
      { kind: 'protocol', scheme: 'go', package: 'example.com/cmd/x@latest' },
    ],
    ['ghcr.io/team/img', { kind: 'image', image: 'ghcr.io/team/img' }],
    ['img:1', { kind: 'image', image: 'img:1' }],
    [`img@sha256:${'a'.repeat(64)}`, { kind: 'image' }],
    ['localhost:5000/img', { kind: 'image' }],
  ])(`${proves('K-2-01', 'R-1-05', 'R-1-11', 'K-2-05')} of %s needs no registry`, async (argument, server) => {
    const resolved = await resolveWords([argument], AWAY);
    expect(resolved.plan.server).toMatchObject(server);
    expect(resolved.warnings).toEqual([]);
  });

  it(`${proves('K-2-01', 'K-2-02')} of a name is the registry before the image`, async () => {
    expect((await resolveWords(['example.com/both'], REGISTRY)).plan.origin?.name).toBe('example.com/both');
    expect((await resolveWords(['example.com/other'], REGISTRY)).plan.server).toEqual({
      kind: 'image',
      image: 'example.com/other',
    });
  });

  it(`${proves('K-2-03')} tells both answers and the nearest names`, async () => {
    const { onImageMissing } = await resolveWords(['io.example/ecko'], REGISTRY);
    const text = onImageMissing?.('manifest unknown').describe() ?? '';
    expect(text).toMatch(/registry http:\/\/registry\.test has no server/);
    expect(text).toContain('as an image: manifest unknown');
    expect(text).toContain('Did you mean "io.example/echo"?');
  });

  it(`${proves('K-2-02', 'K-2-03')} is no image when it cannot be one`, async () => {
    const error = await resolveWords(['io.Example/Ecko'], REGISTRY).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'server_unknown' });
    expect(String(error)).toContain('cannot be an image');
  });

  it(`${proves('K-2-05')} is the image, with a warning, while the registry is away`, async () => {
    const resolved = await resolveWords(['team/img'], AWAY);
    expect(resolved.plan.server).toEqual({ kind: 'image', image: 'team/img' });
    expect(resolved.warnings).toEqual([expect.stringContaining('could not be asked')]);
    expect(resolved.onImageMissing?.('not there').message).toMatch(/could not be asked.*not there/);
    await expect(resolveWords(['io.example/echo@1.0.0'], AWAY)).rejects.toBe(AWAY);
  });

  it('is no image of a stranger when the registry refuses to say whether it knows the name', async () => {
    const refused = new BerthError('registry_refused', 'The registry refused the request (401).');
    await expect(resolveWords(['team/img'], refused)).rejects.toBe(refused);
    const { plan } = await resolveWords(['team/img:1'], refused);
    expect(plan.server).toEqual({ kind: 'image', image: 'team/img:1' });
  });

  it(`${proves('K-8.1-16')} is refused for a protocol nobody knows`, async () => {
    const error = await resolveWords(['gopher://thing'], REGISTRY).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(UsageError);
    expect(error instanceof BerthError ? error.describe() : '').toMatch(/protocol.*npx.*uvx.*go/i);
  });

  it.each([
    'npx://',
    'npx://a b',
    'npx://-x',
    'uvx://../x',
    'go://-flag',
    'go://a/../b',
    'http://u:p@h/',
    'http://h/#x',
  ])('%s is malformed', async (argument) => {
    await expect(resolveWords([argument], REGISTRY)).rejects.toBeInstanceOf(UsageError);
  });

  it('takes a local Go path, which has to be there', async () => {
    const { path } = enterDirectory();
    mkdirSync(join(path, 'my server'));
    const { plan } = await resolveWords(['go://./my server'], REGISTRY, { cwd: path });
    expect(plan.server).toMatchObject({ kind: 'protocol', local: true, package: join(path, 'my server') });
    expect(plan.name).toBe('my-server');
    await expect(resolveWords(['go://../nowhere-at-all'], REGISTRY, { cwd: path })).rejects.toMatchObject({
      code: 'go_path_missing',
    });
  });
});

describe('a remote', () => {
  it(`${proves('K-2-33')} keeps path and query`, async () => {
    const url = 'http://127.0.0.1:1/api/v1/mcp?toolsets=a%20b&x=1';
    expect((await resolveWords([url], AWAY)).plan.server).toEqual({ kind: 'remote', url });
  });

  it('talks streamable HTTP, or SSE by its path or flag', async () => {
    expect((await resolveWords(['http://h/mcp'], AWAY)).plan.transport).toBe('streamable-http');
    expect((await resolveWords(['http://h/sse'], AWAY)).plan.transport).toBe('sse');
    expect((await resolveWords(['http://h/', '--transport', 'sse'], AWAY)).plan.transport).toBe('sse');
    await expect(resolveWords(['http://h/', '--transport', 'stdio'], AWAY)).rejects.toBeInstanceOf(
      UsageError,
    );
    await expect(resolveWords(['http://h/', '--', 'x'], AWAY)).rejects.toBeInstanceOf(UsageError);
  });

  it('warns of flags that change nothing', async () => {
    const sse = await resolveWords(['http://h/', '--proxy-mode', 'sse'], AWAY);
    expect(sse.warnings).toEqual([expect.stringContaining('deprecated')]);
    expect((await resolveWords(['http://h/', '-v', '/tmp:/x'], AWAY)).warnings).toEqual([
      expect.stringContaining('--volume'),
    ]);
    const image = await resolveWords(['img:1', '--remote-auth', '--runtime-image', 'x'], AWAY);
    expect(image.warnings).toEqual([
      expect.stringContaining('--remote-auth'),
      expect.stringContaining('--runtime-image'),
    ]);
  });
});

describe('a name that was not given', () => {
  it.each([
    ['ghcr.io/github/github-mcp-server:v1', 'github-github-mcp-server'],
    ['img:1', 'img'],
    ['localhost:5000/a/b/c:2', 'b-c'],
    ['npx://@modelcontextprotocol/server-x@1.0', 'modelcontextprotocol-server-x'],
    ['uvx://my_pkg==1.2', 'my_pkg'],
    ['go://github.com/a/b@latest', 'github-com-a-b'],
    ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
    ['https://mcp.example.co.uk/', 'example'],
    ['http://localhost:1/', 'localhost'],
    ['http://[::1]:1/', 'remote-1'],
    ['io.example/echo', 'io-example-echo'],
  ])(`${proves('R-4.1-02')} comes from %s`, async (argument, name) => {
    const resolved = await resolveWords([argument], REGISTRY);
    expect(resolved).toMatchObject({ plan: { name }, nameIsDerived: true });
    expect((await resolveWords([argument, '--name', 'mine'], REGISTRY)).nameIsDerived).toBe(false);
  });

  it('is always a possible one', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => WORKLOAD_NAME.test(toWorkloadName(text))));
  });
});

describe('an image reference', () => {
  it.each([
    'Upper/case',
    'a b',
    '',
    '/a',
    'a//b',
    'a:',
    'a@1.0.0',
    'a:b c',
    '-a',
    'http://x',
  ])('is not %j', (text) => {
    expect(readImageReference(text)).toBeUndefined();
  });
});
