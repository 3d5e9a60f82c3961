import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { type Issuer, startIssuer } from '../../support/start-issuer.ts';
import { type Service, startService } from '../../support/start-service.ts';
import { type Ran, runBerth } from '../run-berth.ts';
import { enterDirectory } from '../working-directory.ts';

let issuer: Issuer;
let service: Service;
const tokens = { publisher: '', reader: '' };

beforeAll(async () => {
  issuer = await startIssuer({
    callers: {
      publisher: { org: 'acme', team: ['platform', 'data'], groups: ['publishers'] },
      reader: { org: 'acme' },
    },
  });
  service = await startService({
    sources: [
      { name: 'published', managed: {}, claims: { org: 'acme' } },
      { name: 'tools', managed: {}, claims: { org: 'acme' } },
    ],
    registries: [{ name: 'default', sources: ['published', 'tools'], claims: { org: 'acme' } }],
    auth: {
      mode: 'oauth',
      oauth: { resourceUrl: 'http://127.0.0.1/', providers: [issuer.provider()] },
      authz: {
        roles: {
          manageEntries: [{ groups: 'publishers' }],
          manageSources: [{ groups: 'publishers' }],
          manageRegistries: [{ groups: 'publishers' }],
        },
      },
    },
  });
  tokens.publisher = await issuer.issue('publisher');
  tokens.reader = await issuer.issue('reader');
});
afterAll(async () => {
  await service?.stop();
  await issuer?.close();
});

/** Runs a command in a directory that holds the publisher's token. */
function enter() {
  const dir = enterDirectory();
  dir.write('token', `${tokens.publisher}\n`);
  dir.write('reader', tokens.reader);
  const run = (...words: string[]): Promise<Ran> =>
    runBerth([...words, '--registry-url', service.url, '--token-file', 'token']);
  return { dir, run };
}
const publish = (run: (...words: string[]) => Promise<Ran>, file: string, ...more: string[]) =>
  run('publish', file, '--source', 'published', '--claims', '{"org":"acme"}', ...more);
const readDetail = async (name: string, version = 'latest') =>
  (
    await service.ask(`/registry/default/v0.1/servers/${encodeURIComponent(name)}/versions/${version}`, {
      token: tokens.reader,
    })
  ).json;
const makeServer = (name: string, version = '1.0.0') => ({ name, version, description: `About ${name}` });

/** As `mcp-publisher init` writes it. */
const WRITTEN_BY_PUBLISHER = `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json",
  "name": "io.github.acme/weather",
  "description": "An MCP server that provides weather",
  "repository": { "url": "https://github.com/acme/weather", "source": "github" },
  "version": "1.0.0",
  "packages": [
    {
      "registryType": "npm",
      "identifier": "@acme/weather",
      "version": "1.0.0",
      "transport": { "type": "stdio" },
      "environmentVariables": [
        { "description": "Your API key", "isRequired": true, "format": "string", "isSecret": true, "name": "API_KEY" }
      ]
    }
  ]
}
`;

describe('berth publish', () => {
  it(`${proves('C-12.8-03')} takes the server.json of mcp-publisher as it is`, async () => {
    const { dir, run } = enter();
    dir.write('server.json', WRITTEN_BY_PUBLISHER);
    const ran = await publish(run, 'server.json');
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'Published server/io.github.acme/weather 1.0.0.\n',
      stderr: '',
    });
    expect((await readDetail('io.github.acme/weather')).server).toEqual(JSON.parse(WRITTEN_BY_PUBLISHER));
  });

  it('takes a server.yaml and a body {server}, and answers JSON when asked to', async () => {
    const { dir, run } = enter();
    dir.write('server.yaml', makeServer('com.acme/yaml'));
    dir.write('body.json', { server: makeServer('com.acme/body') });
    expect(await publish(run, 'server.yaml')).toMatchObject({ code: 0, stderr: '' });
    const ran = await publish(run, 'body.json', '--format', 'json');
    expect(JSON.parse(ran.stdout)).toEqual(makeServer('com.acme/body'));
    for (const name of ['com.acme/yaml', 'com.acme/body'])
      expect((await readDetail(name)).server).toEqual(makeServer(name));
  });

  it('takes a SKILL.md, its namespace from the option', async () => {
    const { dir, run } = enter();
    dir.write(
      'code-review/SKILL.md',
      '---\nname: code-review\ndescription: Reviews code\nmetadata:\n  version: 1.2.0\n---\n# Steps\n',
    );
    expect(await publish(run, 'code-review/SKILL.md', '--namespace', 'com.acme')).toMatchObject({
      code: 0,
      stdout: 'Published skill/com.acme/code-review 1.2.0.\n',
    });
    const listed = await run('entries', 'list', '--source', 'published', '--format', 'json');
    const skill = JSON.parse(listed.stdout).entries.find(({ type }: { type: string }) => type === 'skill');
    expect(skill).toMatchObject({ name: 'com.acme/code-review', claims: { org: 'acme' } });
    dir.write('broken/SKILL.md', '# No front matter\n');
    const broken = await publish(run, 'broken/SKILL.md');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('broken/SKILL.md')]);
  });

  it('takes claims from a file, and a second version with the same', async () => {
    const { dir, run } = enter();
    dir.write('claims.json', { org: 'acme', team: ['data'] });
    for (const version of ['1.0.0', '1.1.0']) {
      dir.write('server.json', makeServer('com.acme/claimed', version));
      const ran = await run('publish', 'server.json', '--source', 'published', '--claims', '@claims.json');
      expect(ran).toMatchObject({ code: 0, stderr: '' });
    }
    const shown = await run('entries', 'claims', 'server/com.acme/claimed');
    expect(JSON.parse(shown.stdout)).toEqual({ claims: { org: 'acme', team: ['data'] } });
  });

  it('ends with 1 when the service refuses, and says why', async () => {
    const { dir, run } = enter();
    dir.write('server.json', makeServer('com.acme/refused'));
    const refusals: [string[], RegExp][] = [
      [['--claims', '{"org":"other"}', '--source', 'published'], /answered 403: /],
      [['--source', 'published'], /answered 400: .*claims/],
      [['--claims', '{"org":"acme"}'], /answered 400: .*source/],
    ];
    for (const [words, reason] of refusals) {
      const ran = await run('publish', 'server.json', ...words);
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(reason) });
    }
    expect((await publish(run, 'server.json')).code).toBe(0);
    expect(await publish(run, 'server.json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /answered 409: Version 1\.0\.0 of com\.acme\/refused is published already/,
      ),
    });
    dir.write('token', tokens.reader);
    expect((await publish(run, 'server.json')).stderr).toMatch(/answered 403: /);
    dir.write('token', 'not.a.token');
    expect((await publish(run, 'server.json')).stderr).toMatch(/answered 401: .*--token-file/);
    expect((await publish(run, 'server.json')).stderr).not.toContain('not.a.token');
  });

  it('ends with 1 for what it cannot read, before it asks anybody', async () => {
    const { dir, run } = enter();
    dir.write('nothing.json', { data: 1 });
    dir.write('broken.json', '{"name": ');
    dir.write('server.json', makeServer('com.acme/never'));
    for (const [file, reason] of [
      ['absent.json', /absent\.json: The file cannot be read/],
      ['nothing.json', /nothing\.json: .*nothing that can be published/],
      ['broken.json', /broken\.json: .*neither JSON nor YAML/],
    ] as const) {
      expect(await publish(run, file)).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
    }
    for (const [token, reason] of [
      ['', /token: There is no access token/],
      ['two\nlines', /more than one line/],
    ] as const) {
      dir.write('token', token);
      expect(await publish(run, 'server.json')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(reason),
      });
    }
    const without = await runBerth(['publish', 'server.json', '--token-file', 'absent']);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('absent: The token file')]);
  });

  it('ends with 2 for a command line that means nothing', async () => {
    const { dir, run } = enter();
    dir.write('server.json', makeServer('com.acme/never'));
    dir.write('claims.json', 'org=acme');
    for (const [words, reason] of [
      [['publish'], /FILE/],
      [['publish', 'server.json', '--claims', '{org}'], /--claims: The claims are not JSON/],
      [['publish', 'server.json', '--claims', '@claims.json'], /claims\.json: The claims are not JSON/],
      [['publish', 'server.json', '--claims', '@none.json'], /none\.json: .*cannot be read/],
      [['publish', 'server.json', '--format', 'xml'], /xml/],
      [['entries', 'list'], /--source or --registry/],
      [['entries', 'list', '--source', 'a', '--registry', 'b'], /--source or --registry/],
      [['entries', 'delete', 'com.acme/x', '1.0.0'], /server\/NAMESPACE\/NAME/],
      [['entries', 'claims', 'server/x'], /server\/NAMESPACE\/NAME/],
      [['entries', 'status', 'server/com.acme/x', '1.0.0'], /STATUS/],
    ] as const) {
      expect(await run(...words)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(reason),
      });
    }
    const bad = await runBerth(['me', '--registry-url', 'mcp.example.com']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--registry-url')]);
  });
});

describe('berth entries', () => {
  it('lists, sets the status of, changes the claims of and deletes what was published', async () => {
    const { dir, run } = enter();
    for (const version of ['1.0.0', '2.0.0']) {
      dir.write('server.json', makeServer('com.acme/kept', version));
      await run('publish', 'server.json', '--source', 'tools', '--claims', '{"org":"acme"}');
    }
    const entry = 'server/com.acme/kept';
    expect(
      await run('entries', 'status', entry, '1.0.0', 'deprecated', '--message', 'use 2.0.0'),
    ).toMatchObject({ code: 0, stdout: `${entry} 1.0.0 is deprecated.\n` });
    const official = JSON.stringify((await readDetail('com.acme/kept', '1.0.0'))._meta);
    expect(official).toContain('"status":"deprecated","statusMessage":"use 2.0.0"');
    const { lines, code } = await run('entries', 'list', '--source', 'tools');
    expect(code).toBe(0);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^ENTRY +VERSIONS +CLAIMS$/);
    expect(lines[1]).toMatch(/^server\/com\.acme\/kept +.*1\.0\.0 \(deprecated\).* +\{"org":"acme"\}$/);
    const listed = await run('entries', 'list', '--registry', 'default', '--format', 'json');
    const names = JSON.parse(listed.stdout).entries.map(({ name }: { name: string }) => name);
    expect(names).toContain('com.acme/kept');

    const set = await run('entries', 'claims', entry, '--set', '{"org":"acme","team":["platform"]}');
    expect(JSON.parse(set.stdout)).toEqual({ claims: { org: 'acme', team: ['platform'] } });
    expect((await readDetail('com.acme/kept')).status).toBe(404);
    expect((await run('entries', 'claims', entry, '--set', '{"org":"other"}')).code).toBe(1);

    for (const version of ['1.0.0', '2.0.0']) {
      expect(await run('entries', 'delete', entry, version)).toMatchObject({
        code: 0,
        stdout: `${entry} ${version} is deleted.\n`,
      });
    }
    expect((await run('entries', 'delete', entry, '2.0.0')).stderr).toMatch(/answered 404: /);
    expect((await run('entries', 'list', '--source', 'tools')).stdout).toBe('There are no entries.\n');
    const bad = await run('entries', 'status', entry, '2.0.0', 'gone');
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringMatching(/answered 40[04]: /)]);
  });

  it('lists all pages', async () => {
    const { run } = enter();
    const names = Array.from({ length: 105 }, (_, index) => `com.acme/p${String(index).padStart(3, '0')}`);
    await Promise.all(
      names.map((name) =>
        service.ask('/v1/entries?source=tools', {
          method: 'POST',
          token: tokens.publisher,
          body: { server: makeServer(name), claims: { org: 'acme' } },
        }),
      ),
    );
    const listed = await run('entries', 'list', '--source', 'tools', '--format', 'json');
    expect(JSON.parse(listed.stdout).entries.map(({ name }: { name: string }) => name)).toEqual(names);
  });
});

describe('berth me', () => {
  it('says who the token belongs to and what it may do', async () => {
    const { run } = enter();
    expect((await run('me')).lines).toEqual([
      'subject  publisher',
      'roles    manageSources, manageRegistries, manageEntries',
    ]);
    expect(JSON.parse((await run('me', '--format', 'json')).stdout)).toEqual({
      subject: 'publisher',
      roles: ['manageSources', 'manageRegistries', 'manageEntries'],
    });
  });

  it('takes address and token from the environment, and a base that names a registry', async () => {
    const env = {
      BERTH_REGISTRY_URL: `${service.url}/registry/default`,
      BERTH_REGISTRY_TOKEN: tokens.reader,
    };
    const ran = await runBerth(['me'], env);
    expect(ran.lines).toEqual(['subject  reader', 'roles    none']);
    const { code, stderr } = await runBerth(['me', '--registry-url', service.url]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/answered 401: /)]);
  });

  it('ends with 1 when nobody answers, or somebody else', async () => {
    const absent = await runBerth(['me', '--registry-url', 'http://127.0.0.1:9']);
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('does not answer')]);
    const other = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const dir = enterDirectory();
    dir.write('server.json', makeServer('com.acme/x'));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (const words of [['me'], ['entries', 'list', '--source', 'a'], ['publish', 'server.json']]) {
      expect(await runBerth([...words, '--registry-url', url])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('not the admin API of a registry service'),
      });
    }
  });
});
