import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { startServer } from '../../sources/net/loopback-server.ts';
import { runBerth } from '../run-berth.ts';
import { type Sickness, startRegistry } from './fake-registry.ts';

const CLIENTS = ['VS Code', 'Copilot CLI', 'official Go client', 'npx skills', 'api source of another berth'];

async function examine(sickness: Sickness) {
  const { url } = await startRegistry(sickness);
  const { code, stdout } = await runBerth(['doctor', url, '--format', 'json']);
  const { clients, healthy, notes } = JSON.parse(stdout);
  expect(healthy).toBe(code === 0);
  const failures: string[] = clients.flatMap(
    ({ client, findings }: { client: string; findings: { outcome: string; what: string; why?: string }[] }) =>
      findings
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ what, why }) => `${client}: ${what}: ${why}`),
  );
  return { code, failures, notes };
}

describe('berth doctor', () => {
  it(`${proves('C-1-26', 'C-12.2-06')} passes a healthy registry, client by client`, async () => {
    const { url, asked } = await startRegistry();
    const { code, stdout, lines } = await runBerth(['doctor', url]);
    expect(stdout).not.toMatch(/failed|skipped/);
    expect(code).toBe(0);
    for (const client of CLIENTS) expect(lines).toContain(client);
    const paths = asked.map((line) => line.replace('/registry/main', ''));
    expect(paths).toContain('GET /v0.1/servers?limit=1 -');
    expect(paths).toContainEqual(
      expect.stringMatching(/^GET \/v0\.1\/servers\?limit=50&version=latest&cursor=[\w-]+ -$/),
    );
    expect(paths).toContain('GET /v0.1/servers/com.example%2Ftool-00/versions/latest -');
    expect(paths).toContain('GET /.well-known/agent-skills/pdf/SKILL.md -');
    expect(asked.length).toBeLessThan(50);
  });

  it.each<[string, Sickness, readonly RegExp[]]>([
    [
      'items without _meta',
      { item: ({ server }) => ({ server }) },
      [
        /^VS Code: items: com\.example\/tool-00 has no `_meta` object .*TypeError/,
        /^official Go client: .*_meta/,
      ],
    ],
    [
      'an empty description of the first item',
      {
        item: (item, index) =>
          index === 0
            ? { ...item, server: { name: 'com.example/tool-00', description: '', version: '1.0.0' } }
            : item,
      },
      [/^VS Code: items: .*no `server\.description`.*the whole page is lost/],
    ],
    [
      'no metadata',
      { page: ({ servers }) => ({ servers }) },
      [/^VS Code: .*`metadata` is no object/, /^official Go client: types of the list: metadata: is missing/],
    ],
    [
      'a cursor that is not URL-safe',
      { cursor: (plain) => `${Buffer.from(plain).toString('base64')}+/=` },
      [/^VS Code: cursor: .*not URL-safe/],
    ],
    [
      'a cursor without the search',
      { forgetsSearch: true },
      [/^VS Code: the cursor carries the search: .*page 1 only/],
    ],
    [
      '200 for every name',
      { unknownStatus: 200 },
      [/^VS Code: .*instead of 404/, /^Copilot CLI: .*answers 200 instead of 404/],
    ],
    [
      '500 for unknown names',
      { unknownStatus: 500 },
      [/^Copilot CLI: .*answers 500 instead of 404: .*blocks every server/],
    ],
    [
      'no CORS headers',
      { withoutCors: true },
      [/^VS Code: CORS header: .*Failed to fetch/, /^Copilot CLI: CORS header/],
    ],
    ['no preflight', { withoutPreflight: true }, [/^Copilot CLI: CORS preflight: .*405/]],
    [
      'further members in the official block',
      {
        item: (item) => ({
          ...item,
          _meta: {
            'io.modelcontextprotocol.registry/official': {
              status: 'active',
              publishedAt: '2026-01-01T00:00:00Z',
              isLatest: true,
              owner: 'x',
            },
          },
        }),
      },
      [/^official Go client: types of the items: .*official.*owner/],
    ],
    [
      'dates that are none',
      {
        item: (item) => ({
          ...item,
          _meta: {
            'io.modelcontextprotocol.registry/official': {
              status: 'active',
              publishedAt: 'yesterday',
              isLatest: 1,
            },
          },
        }),
      },
      [/^official Go client: .*publishedAt: must be an RFC 3339 time.*isLatest: must be true or false/],
    ],
    [
      'skills with a wrong digest',
      { digest: `sha256:${'0'.repeat(64)}` },
      [/^npx skills: file of the skill pdf: .*index says sha256:000/],
    ],
    ['skills with no digest at all', { digest: 'md5:1' }, [/^npx skills: skills of the index: .*digest/]],
    [
      'updated_since without effect',
      { ignoresUpdatedSince: true },
      [/^api source of another berth: updated_since: .*ignored/],
    ],
    ['v0 alone', { only: 'v0' }, [/^Copilot CLI: .*answers 404 instead of 200/]],
  ])(`${proves('C-1-27', 'C-12.2-06')} explains %s`, async (_what, sickness, expected) => {
    const { code, failures } = await examine(sickness);
    for (const pattern of expected) expect(failures).toContainEqual(expect.stringMatching(pattern));
    expect(code).toBe(1);
  });

  it('ends on a cursor that comes twice', async () => {
    const { url } = await startServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
      response.setHeader('content-type', 'application/json');
      if (pathname !== '/v0.1/servers') return void response.writeHead(404).end('{}');
      const server = {
        name: `com.x/s${searchParams.has('cursor') ? 2 : 1}`,
        description: 'd',
        version: '1.0.0',
      };
      response.end(
        JSON.stringify({ servers: [{ server, _meta: {} }], metadata: { count: 1, nextCursor: 'round' } }),
      );
    });
    const { code, stdout } = await runBerth(['doctor', url]);
    expect(stdout).toContain('the same cursor came twice');
    expect(code).toBe(1);
  });

  it('takes no skills at all for healthy', async () => {
    expect(await examine({ withoutSkills: true })).toMatchObject({ code: 0, failures: [] });
  });

  it(`${proves('C-1-28')} sends the token, and says what clients without one will see`, async () => {
    const sickness = { wantsToken: 'secret-token' };
    const bare = await examine(sickness);
    expect(bare.code).toBe(1);
    for (const client of CLIENTS) {
      expect(bare.failures).toContainEqual(
        expect.stringMatching(new RegExp(`^${client}: .*401.*publicPaths`)),
      );
    }
    const { url, asked } = await startRegistry(sickness);
    const { code, stdout } = await runBerth(['doctor', url, '--token', 'secret-token']);
    expect(
      asked.filter((line) => line.startsWith('GET') && line.endsWith('Bearer secret-token')).length,
    ).toBeGreaterThan(10);
    expect(stdout).toMatch(
      /^note: without a token this registry answers 401\. VS Code and Copilot CLI .*publicPaths/m,
    );
    expect(stdout).not.toContain('secret-token');
    expect(code).toBe(0);
  });

  it('sends the token to no other host that an index of skills points to', async () => {
    const asked: (string | undefined)[] = [];
    const other = await startServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    const { url } = await startServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (!request.url?.endsWith('index.json')) return void response.writeHead(404).end('{}');
      const digest = `sha256:${'0'.repeat(64)}`;
      const skill = { name: 'pdf', type: 'skill-md', description: 'd', url: `${other.url}/SKILL.md`, digest };
      const $schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
      response.end(JSON.stringify({ $schema, skills: [skill] }));
    });
    await runBerth(['doctor', url, '--token', 'secret-token']);
    expect(asked).toEqual([undefined]);
  });

  it('tells the registries of a service that is named as a whole', async () => {
    const { url } = await startServer((request, response) => {
      const list = JSON.stringify({ registries: [{ name: 'main' }, { name: 'other' }] });
      response
        .writeHead(request.url === '/registry' ? 200 : 404)
        .end(request.url === '/registry' ? list : '{}');
    });
    const { code, stdout } = await runBerth(['doctor', `${url}/`]);
    expect(stdout).toContain(
      `note: this is a whole service; its registries are ${url}/registry/main, ${url}/registry/other`,
    );
    expect(code).toBe(1);
  });

  it('takes the path of the list off the base', async () => {
    const { url } = await startRegistry();
    const { code, stdout } = await runBerth(['doctor', `${url}/v0.1/servers/?limit=1`]);
    expect(stdout).toContain(`note: clients are given the base ${url}:`);
    expect(code).toBe(0);
  });

  it('says that nothing answers', async () => {
    const { url, server } = await startServer((_request, response) => void response.end());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { code, stdout, stderr } = await runBerth(['doctor', url]);
    expect(stderr).toMatch(/No answer: ECONNREFUSED\. Check the URL/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});
