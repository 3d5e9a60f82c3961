import { describe, expect, it } from 'vitest';
import { validateServer } from '../../../sources/catalog/validate-server.ts';
import { proves } from '../../requirements/proves.ts';
import { publisherMeta, server } from './fetched-text.ts';

const STDIO = { type: 'stdio' };
const npm = (members: object = {}) => ({
  registryType: 'npm',
  identifier: 'x',
  transport: STDIO,
  ...members,
});
const remote = (members: object = {}) => ({
  type: 'streamable-http',
  url: 'https://a.example.com/mcp',
  ...members,
});

/** The problems as `path: message`. */
function problems(members: Readonly<Record<string, unknown>>): readonly string[] {
  const result = validateServer(server('a.b/c', members));
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** Members that make a server invalid, and how the problem begins. */
const refusals: readonly (readonly [members: Readonly<Record<string, unknown>>, problem: string])[] = [
  [{ name: undefined }, 'name: is missing'],
  [{ name: 'ab' }, 'name: must have at least 3 characters'],
  [{ name: `a/${'b'.repeat(199)}` }, 'name: must have at most 200 characters'],
  [{ name: 'a/b/c' }, 'name: must be namespace/name'],
  [{ name: '.a/b' }, 'name: must be namespace/name'],
  [{ name: 'a/b-' }, 'name: must be namespace/name'],
  [{ name: 'a_b/c' }, 'name: must be namespace/name'],
  [{ name: 'a/b\n' }, 'name: must be namespace/name'],
  [{ description: '' }, 'description: must have at least 1 character'],
  [{ description: undefined }, 'description: is missing'],
  [{ description: 5 }, 'description: must be text'],
  [{ description: 'x'.repeat(101) }, 'description: must have at most 100 characters'],
  [{ description: '😀'.repeat(101) }, 'description: must have at most 100 characters'],
  [{ title: '' }, 'title: must have at least 1 character'],
  [{ version: '' }, 'version: must have at least 1 character'],
  [{ version: 'latest' }, 'version: must not be `latest`'],
  [{ version: 'x'.repeat(256) }, 'version: must have at most 255'],
  [{ version: '1\u0000' }, 'version: must not hold control characters'],
  ...['^1.2.3', '~1', '>=1.0', '<2', '=1', '1.x', '1.2.*', 'x', '*', '1.0 - 2.0', '1 || 2'].map(
    (version): [{ version: string }, string] => [{ version }, 'version: must be one version, not a range'],
  ),
  [{ websiteUrl: 'javascript:alert(1)' }, 'websiteUrl: must be an http or https URL'],
  [{ repository: { url: 'https://x.example.com/r' } }, 'repository.source: is missing'],
  [{ repository: { url: 'javascript:1', source: 'x' } }, 'repository.url: must be'],
  [{ icons: [{ src: 'http://x.example.com/i.png' }] }, 'icons[0].src: must be an https URL'],
  [
    { icons: [{ src: `https://x.example.com/${'i'.repeat(255)}` }] },
    'icons[0].src: must have at most 255 characters',
  ],
  [{ icons: [{ src: 'https://x.example.com/i', theme: 'blue' }] }, 'icons[0].theme: must be light or dark'],
  [{ packages: {} }, 'packages: must be a list'],
  [
    { packages: [npm({ registryType: 'gem' })] },
    'packages[0].registryType: must be npm, pypi, oci, nuget, mcpb or cargo',
  ],
  [{ packages: [npm({ identifier: '' })] }, 'packages[0].identifier: must have at least 1 character'],
  [{ packages: [npm({ version: 'latest' })] }, 'packages[0].version: must not be `latest`'],
  [{ packages: [npm({ version: '^1.0.0' })] }, 'packages[0].version: must be one version'],
  [{ packages: [npm({ registryType: 'mcpb' })] }, 'packages[0].fileSha256: is required for mcpb'],
  [
    { packages: [npm({ registryType: 'mcpb', fileSha256: 'A'.repeat(64) })] },
    'packages[0].fileSha256: must be 64',
  ],
  [{ packages: [npm({ transport: undefined })] }, 'packages[0].transport: is missing'],
  [
    { packages: [npm({ transport: { type: 'http' } })] },
    'packages[0].transport.type: must be stdio, streamable-http or sse',
  ],
  [{ packages: [npm({ transport: { type: 'sse' } })] }, 'packages[0].transport.url: is missing'],
  [
    { packages: [npm(), npm({ packageArguments: [{ type: 'named' }] })] },
    'packages[1].packageArguments[0].name: is missing',
  ],
  [
    { packages: [npm({ packageArguments: [{ type: 'positional' }] })] },
    'packages[0].packageArguments[0]: needs `value` or `valueHint`',
  ],
  [
    { packages: [npm({ environmentVariables: [{ name: 'A', isSecret: 'yes' }] })] },
    'packages[0].environmentVariables[0].isSecret: must be true or false',
  ],
  [
    { packages: [npm({ environmentVariables: [{ name: 'A', format: 'date' }] })] },
    'packages[0].environmentVariables[0].format: must be string,',
  ],
  [{ remotes: [STDIO] }, 'remotes[0].type: must be streamable-http or sse'],
  [{ remotes: [remote({ url: 'ftp://a.example.com' })] }, 'remotes[0].url: must be an http or https URL'],
  [{ remotes: [remote({ url: 'https://a b' })] }, 'remotes[0].url: must be an http or https URL'],
  [{ remotes: [remote({ headers: [{ value: 'x' }] })] }, 'remotes[0].headers[0].name: is missing'],
  [{ _meta: [] }, '_meta: must be an object'],
];

describe('validateServer', () => {
  it.each([
    { name: 'a/b' },
    { name: `${'a'.repeat(100)}/${'b'.repeat(99)}` },
    { name: 'io.github.x-y/a_b.c-d' },
    { description: 'x'.repeat(100) },
    { description: '😀'.repeat(100) },
    { version: 'x'.repeat(255) },
    { version: '2025-08-21' },
    { version: 'nightly' },
    { version: '1.0.0-x.1' },
    { version: '1.0.0+build-1' },
    { title: 't', websiteUrl: 'https://x.example.com', unknown: { kept: true } },
    {
      icons: [
        { src: 'https://x.example.com/i.png', sizes: ['48x48', 'any'], theme: 'dark', mimeType: 'image/png' },
      ],
    },
    { packages: [npm({ version: '1.2.3' }), { ...npm(), registryType: 'cargo' }] },
    { packages: [npm({ registryType: 'mcpb', fileSha256: 'a'.repeat(64) })] },
    { packages: [npm({ transport: { type: 'sse', url: 'http://127.0.0.1:{port}/sse' } })] },
    {
      packages: [
        npm({
          packageArguments: [
            { type: 'positional', value: '--' },
            { type: 'named', name: '-v' },
          ],
        }),
      ],
    },
    {
      remotes: [
        remote({
          url: 'https://{tenant}.example.com/{path}/mcp',
          variables: { tenant: { choices: ['eu'] } },
        }),
      ],
    },
    { remotes: [remote({ url: '{base}/mcp' })] },
  ])(`${proves('C-3-13')} accepts %j`, (members) => {
    expect(problems(members)).toEqual([]);
  });

  it.each(refusals)(`${proves('C-3-13')} refuses %j`, (members, expected) => {
    const found = problems(members);
    expect(found.filter((problem) => problem.startsWith(expected))).not.toEqual([]);
  });

  it.each([null, undefined, 'x', 5, []])('refuses %j, which is no object', (body) => {
    expect(validateServer(body)).toEqual({
      ok: false,
      problems: [{ path: '', message: 'must be an object' }],
    });
  });

  it('keeps the body as it was given, and reads tags and tools of any vendor', () => {
    const body = server('a/b', {
      odd: { deep: [1] },
      _meta: publisherMeta({ tags: ['x', 'y', 'x', 5, ' '], tools: ['t'] }, 'com.any'),
    });
    const result = validateServer(body);
    expect(result).toMatchObject({
      ok: true,
      entry: { type: 'server', tags: ['x', 'y'], tools: ['t'], status: 'active' },
    });
    expect(result.ok && result.entry.body).toEqual(body);
  });

  it('does not let a publisher write the block of a registry', () => {
    const meta = {
      'io.modelcontextprotocol.registry/official': { status: 'deleted' },
      'dev.berth/origin': {},
    };
    const result = validateServer(server('a/b', { _meta: meta }));
    expect(result).toMatchObject({ ok: true, entry: { status: 'active', body: server('a/b') } });
    expect(result.ok && '_meta' in result.entry.body).toBe(false);
  });

  it('takes the extension for deprecated only when all of it says so', () => {
    const described = (...statuses: string[]) => ({
      'io.modelcontextprotocol.registry/publisher-provided': {
        v: Object.fromEntries(statuses.map((status, id) => [`i${id}`, { status }])),
      },
    });
    const statusOf = (meta: object) => {
      const result = validateServer(server('a/b', { _meta: meta }));
      return result.ok && result.entry.status;
    };
    expect(statusOf(described('Deprecated'))).toBe('deprecated');
    expect(statusOf(described('deprecated', 'DEPRECATED'))).toBe('deprecated');
    expect(statusOf(described('Deprecated', 'Active'))).toBe('active');
    expect(statusOf(described())).toBe('active');
  });
});
