import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BerthError } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';
import { startServer } from '../net/loopback-server.ts';
import { expectFetched, failure, HOUR, labels, many, openSource } from './api-source.ts';
import { startRegistry } from './fake-registry.ts';
import { writeFiles } from './temporary-directory.ts';

describe('api source: auth', () => {
  const secrets = ['secret-one', 'secret-two', 'client-secret', 'token-1'];
  const expectNoSecret = (error: unknown) => {
    const told = `${error instanceof BerthError ? error.describe() : ''}${String(error)}${JSON.stringify(error)}`;
    for (const secret of secrets) expect(told).not.toContain(secret);
  };

  it(`${proves('C-2-32')} sends the token of the file as it is at that moment`, async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    const source = openSource(registry, { auth: { tokenFile: 'secrets/token' } });
    await writeFiles(source.dir, { 'secrets/token': ' secret-one\n' });
    await source.fetch();
    await writeFiles(source.dir, { 'secrets/token': 'secret-two' });
    await source.fetch();
    const sent = registry.asked.map(({ authorization }) => authorization);
    expect(sent[0]).toBe('Bearer secret-one');
    expect(sent.at(-1)).toBe('Bearer secret-two');
    expect(readFileSync(source.state(), 'utf8')).not.toContain('secret-one');
    registry.instead = () => ({ status: 401 });
    const error = await failure(source.fetch());
    expect(error.code).toBe('source_denied');
    expectNoSecret(error);
  });

  it('says which setting names a file that holds no token', async () => {
    const registry = await startRegistry();
    const source = openSource(registry, { auth: { tokenFile: 'token' } });
    for (const text of [undefined, ' \n', 'secret-one\nsecret-two']) {
      if (text !== undefined) await writeFiles(source.dir, { token: text });
      const error = await failure(source.fetch());
      expect(error).toMatchObject({ code: 'source_secret_unreadable', at: { file: 'token' } });
      expect(error.message).toContain('auth.tokenFile');
      expectNoSecret(error);
    }
    expect(registry.asked).toEqual([]);
  });

  async function startTokenEndpoint() {
    const endpoint = {
      url: '',
      requests: [] as { authorization: string; body: string }[],
      status: 200,
      lifetime: 3600,
    };
    const { url } = await startServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      endpoint.requests.push({
        authorization: request.headers.authorization ?? '',
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(endpoint.status, { 'content-type': 'application/json' });
      const token = { access_token: `token-${endpoint.requests.length}`, token_type: 'Bearer' };
      response.end(
        JSON.stringify(
          endpoint.status === 200
            ? { ...token, expires_in: endpoint.lifetime }
            : { error: 'invalid_client', error_description: 'client-secret' },
        ),
      );
    });
    endpoint.url = `${url}/token`;
    return endpoint;
  }

  it(`${proves('C-2-33')} obtains a client credentials token, keeps it while it is good, and renews a refused one once`, async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    const tokens = await startTokenEndpoint();
    const client = {
      tokenUrl: tokens.url,
      clientId: 'berth:1',
      clientSecretFile: 'secret',
      scope: 'read all',
    };
    const source = openSource(registry, { auth: { clientCredentials: client } });
    await writeFiles(source.dir, { secret: 'client-secret+/\n' });
    await source.fetch();
    await source.fetch();
    expect(tokens.requests).toEqual([
      {
        authorization: `Basic ${Buffer.from('berth%3A1:client-secret%2B%2F').toString('base64')}`,
        body: 'grant_type=client_credentials&scope=read+all',
      },
    ]);
    expect(new Set(registry.asked.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer token-1']),
    );

    source.clock.now += HOUR;
    await source.fetch();
    expect(tokens.requests).toHaveLength(2);

    registry.instead = ({ authorization }) =>
      authorization === 'Bearer token-2' ? { status: 401 } : undefined;
    expect(await source.fetch()).toBe('unchanged');
    expect(tokens.requests).toHaveLength(3);

    registry.instead = () => ({ status: 401 });
    const refused = await failure(source.fetch());
    expect(refused.code).toBe('source_denied');
    expectNoSecret(refused);
    expect(tokens.requests).toHaveLength(4);
  });

  it('tells a refused client from a registry that refuses, without its secret', async () => {
    const registry = await startRegistry();
    const tokens = await startTokenEndpoint();
    tokens.status = 401;
    const client = { tokenUrl: tokens.url, clientId: 'berth', clientSecretFile: 'secret' };
    const source = openSource(registry, { auth: { clientCredentials: client } });
    await writeFiles(source.dir, { secret: 'client-secret' });
    const error = await failure(source.fetch());
    expect(error).toMatchObject({ code: 'source_denied', at: { url: tokens.url } });
    expect(error.message).toContain('invalid_client');
    expectNoSecret(error);
    tokens.status = 500;
    expect((await failure(source.fetch())).code).toBe('source_unreachable');
    expect(registry.asked).toEqual([]);
  });

  it('sends credentials to the origin of the endpoint only, wherever it redirects', async () => {
    const other = await startRegistry();
    other.servers = many(2);
    const registry = await startRegistry('/old');
    const within = await startRegistry();
    registry.instead = ({ rawQuery, path }) => ({
      status: 307,
      headers: { location: `${other.url}${path.replace('/old', '')}?${rawQuery}` },
    });
    const source = openSource(registry, { auth: { tokenFile: 'token' } });
    await writeFiles(source.dir, { token: 'secret-one' });
    expect(labels(await source.fetch())).toHaveLength(2);
    expect(registry.asked[0]?.authorization).toBe('Bearer secret-one');
    expect(other.asked.every(({ authorization }) => authorization === undefined)).toBe(true);
    within.instead = () => ({ status: 307, headers: { location: '/round' } });
    expect((await failure(openSource(within).fetch())).code).toBe('source_redirect');
  });

  it('sends credentials of the URL as Basic, shows them nowhere, and none over an open line', async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    const url = registry.url.replace('//', '//user:secret-one@');
    const result = expectFetched(await openSource({ ...registry, url }).fetch());
    expect(registry.asked[0]?.authorization).toBe(
      `Basic ${Buffer.from('user:secret-one').toString('base64')}`,
    );
    expect(result.origin.url).toBe(registry.url);
    for (const settings of [
      { endpoint: 'http://user:secret-one@registry.example/base' },
      { endpoint: 'http://registry.example/base', auth: { tokenFile: 'token' } },
    ]) {
      const error = await failure(openSource(registry, settings).fetch());
      expect(error).toMatchObject({
        code: 'source_url_insecure',
        at: { url: 'http://registry.example/base' },
      });
      expectNoSecret(error);
    }
  });
});
