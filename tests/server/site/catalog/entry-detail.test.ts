import { describe, expect, it } from 'vitest';
import { commitUrl } from '../../../../server/site/catalog/describe-origin.ts';
import { linkTo } from '../../../../server/site/catalog/link-to.ts';
import { RICH } from '../../consumer/rich-server.ts';
import { describeServer } from './describe-server.ts';

const image = {
  registryType: 'oci',
  identifier: 'ghcr.io/acme/tool',
  version: '1',
  transport: { type: 'stdio' },
};

/** An entry of which its publisher says this, under the key of its image. */
function describeBlock(
  block: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const vendor = { 'io.github.stacklok': { 'ghcr.io/acme/tool:1': block, ...more } };
  const _meta = { 'io.modelcontextprotocol.registry/publisher-provided': vendor };
  return describeServer({ packages: [image], _meta });
}

describe('readEntry', () => {
  it('gives the whole server.json, its links and where it came from', async () => {
    const { server, links, origin, card } = await describeServer({ ...RICH, name: 'com.acme/my.server' });
    expect(server?.packages).toEqual(RICH.packages);
    expect(links).toEqual([
      { label: 'Home page', href: RICH.websiteUrl },
      { label: 'Repository', href: 'https://git.example/everything' },
    ]);
    expect(card).toMatchObject({
      title: RICH.title,
      transports: ['stdio', 'sse', 'streamable-http'],
      packages: ['npm', 'mcpb', 'remote'],
    });
    expect(origin).toMatchObject({
      source: 's',
      commit: 'abcdef0',
      commitUrl: 'https://github.com/acme/catalog/commit/abcdef0',
      rest: [
        ['kind', 'git'],
        ['repository', 'https://github.com/acme/catalog.git'],
      ],
    });
    expect(origin.bundle).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('takes the part of the name behind the slash for a title that is missing', async () => {
    expect((await describeServer({})).card.title).toBe('my.server');
  });

  it('lists tools with what is said of them, each once', async () => {
    const { tools } = await describeBlock({
      tools: ['read', 'write'],
      tool_definitions: [
        { name: 'write', description: 'Writes', annotations: { destructiveHint: true, readOnlyHint: false } },
        { name: 'look', annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: 'yes' } },
        { description: 'nameless' },
        'no object',
      ],
    });
    expect(tools).toEqual([
      { name: 'write', description: 'Writes', hints: ['destructive'] },
      { name: 'look', description: undefined, hints: ['read-only', 'idempotent'] },
      { name: 'read', description: undefined, hints: [] },
    ]);
  });

  it('tells permissions and provenance of the package that berth run takes', async () => {
    const { permissions, provenance } = await describeBlock(
      {
        permissions: {
          read: ['/data'],
          write: ['/out'],
          privileged: true,
          network: { outbound: { allow_host: ['.example.com'], allow_port: [443] } },
        },
        provenance: { sigstore_url: 'tuf.example', repository_uri: 'https://github.com/acme/tool' },
      },
      { 'ghcr.io/acme/other:1': { permissions: { network: { outbound: { insecure_allow_all: true } } } } },
    );
    expect(permissions).toEqual({
      read: ['/data'],
      write: ['/out'],
      hosts: ['.example.com'],
      ports: [443],
      allowsAllHosts: false,
      asksPrivileged: true,
    });
    expect(provenance).toEqual({
      sigstoreUrl: 'tuf.example',
      repositoryUri: 'https://github.com/acme/tool',
      signerIdentity: undefined,
      runnerEnvironment: undefined,
      certIssuer: undefined,
    });
  });

  it('opens nothing by a profile that cannot be read, as berth run does', async () => {
    const { permissions } = await describeBlock({
      permissions: { network: { outbound: { insecure_allow_all: true, allow_hosts: ['typo'] } } },
    });
    expect(permissions).toMatchObject({ hosts: [], allowsAllHosts: false });
  });

  it.each([
    ['nothing', {}],
    ['other shapes', { permissions: 'all', provenance: ['x'], tools: 'read', tool_definitions: {} }],
  ])('knows no permissions, provenance or tools when the publisher says %s', async (_what, block) => {
    const { permissions, provenance, tools } = await describeBlock(block);
    expect({ permissions, provenance, tools }).toEqual({
      permissions: undefined,
      provenance: undefined,
      tools: [],
    });
  });
});

describe('linkTo', () => {
  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'http://example.com/',
    '//example.com/',
    '/x',
    'https://github.com@evil.example/',
    'https://:secret@evil.example/',
    'ssh://git@example.com/x',
    '',
    7,
    undefined,
  ])('makes no link of %j', (text) => {
    expect(linkTo(text)).toBeUndefined();
  });

  it('writes an address as browsers read it', () => {
    expect(linkTo('https://Example.com/a b?c="d"')).toBe('https://example.com/a%20b?c=%22d%22');
  });
});

describe('commitUrl', () => {
  const SHA = '0123456789abcdef0123456789abcdef01234567';

  it.each([
    ['https://github.com/acme/catalog.git', `https://github.com/acme/catalog/commit/${SHA}`],
    ['https://github.acme.example/acme/catalog/', `https://github.acme.example/acme/catalog/commit/${SHA}`],
    ['https://gitlab.com/acme/sub/catalog.git', `https://gitlab.com/acme/sub/catalog/-/commit/${SHA}`],
    ['https://gitlab.acme.example:8443/c.git', `https://gitlab.acme.example:8443/c/-/commit/${SHA}`],
    ['https://codeberg.org/acme/catalog', `https://codeberg.org/acme/catalog/commit/${SHA}`],
    ['https://gitea.acme.example/acme/catalog', `https://gitea.acme.example/acme/catalog/commit/${SHA}`],
    ['https://user:secret@github.com/acme/catalog.git', `https://github.com/acme/catalog/commit/${SHA}`],
  ])('of %s is %s', (repository, url) => {
    expect(commitUrl(repository, SHA)).toBe(url);
  });

  it.each([
    ['http://github.com/acme/catalog', SHA],
    ['git@github.com:acme/catalog.git', SHA],
    ['ssh://git@github.com/acme/catalog.git', SHA],
    ['https://git.acme.example/acme/catalog', SHA],
    ['https://github.com/', SHA],
    ['/srv/git/catalog', SHA],
    ['https://github.com/acme/catalog', 'main'],
    ['https://github.com/acme/catalog', undefined],
    [undefined, SHA],
  ])('of %j at %j is not known', (repository, commit) => {
    expect(commitUrl(repository, commit)).toBeUndefined();
  });
});
