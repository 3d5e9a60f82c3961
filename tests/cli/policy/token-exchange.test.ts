import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTokenExchangeContribution } from '../../../cli/policy/token-exchange/create-token-exchange-contribution.ts';
import { rememberExchanges } from '../../../cli/policy/token-exchange/remembered-exchanges.ts';
import type { PlanInput } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { startServer } from '../proxy/mcp-server.ts';
import { secretsOf } from '../proxy/secrets-of.ts';
import { call, makePlan } from '../proxy/start-test-proxy.ts';
import { parseFlags } from '../run/parse-words.ts';
import { openKeys, startGoverned, tokenOf, trusting } from './start-governed-proxy.ts';

const URN = 'urn:ietf:params:oauth:';
const SECRET = 'hush client:secret';

interface Endpoint {
  readonly url: string;
  readonly forms: Record<string, string>[];
  readonly authorizations: (string | undefined)[];
  /** What the next exchanges answer. */
  status: number;
  expiresIn: number | undefined;
}

async function startEndpoint(): Promise<Endpoint> {
  const forms: Record<string, string>[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = await startServer((request, response, body) => {
    forms.push(Object.fromEntries(new URLSearchParams(body.toString())));
    authorizations.push(request.headers.authorization);
    response.writeHead(endpoint.status, { 'content-type': 'application/json' });
    const token = {
      access_token: `exchanged-${forms.length}`,
      issued_token_type: `${URN}token-type:access_token`,
      token_type: 'Bearer',
      expires_in: endpoint.expiresIn,
    };
    response.end(JSON.stringify(endpoint.status === 200 ? token : { error: 'invalid_grant' }));
  });
  onTestFinished(() => server.close());
  const endpoint: Endpoint = {
    url: `${server.origin}/token`,
    forms,
    authorizations,
    status: 200,
    expiresIn: 300,
  };
  return endpoint;
}

type Exchange = Omit<NonNullable<PlanInput['tokenExchange']>, 'url'>;
async function exchanging(more: Exchange = {}, plan: Partial<PlanInput> = {}) {
  const keys = await openKeys();
  const endpoint = await startEndpoint();
  const governed = await startGoverned({
    plan: {
      audit: { includeRequestData: true, includeResponseData: true },
      ...trusting(keys),
      tokenExchange: { url: endpoint.url, ...more },
      ...plan,
    },
    secrets: { client: SECRET },
  });
  const as = (claims: Record<string, unknown> = {}) => tokenOf(keys, claims);
  return { ...governed, keys, endpoint, as };
}

describe('a token', () => {
  it(`${proves('R-5.3-01', 'K-5-51', 'K-8.4-02')} is exchanged for the one the server gets`, async () => {
    const { proxy, server, endpoint, as } = await exchanging();
    const { authorization } = await as();
    expect((await proxy.send({ headers: { authorization }, body: call(1, 'echo') })).status).toBe(200);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer exchanged-1');
    expect(endpoint.forms).toEqual([
      {
        grant_type: `${URN}grant-type:token-exchange`,
        subject_token: authorization.slice(7),
        subject_token_type: `${URN}token-type:access_token`,
        requested_token_type: `${URN}token-type:access_token`,
      },
    ]);
    expect(endpoint.authorizations).toEqual([undefined]);
  });

  it(`${proves('R-5.3-03', 'R-5.3-04', 'R-5.3-05', 'R-5.3-08', 'R-5.3-09', 'K-5-51')} is asked for as the flags say`, async () => {
    const { proxy, endpoint, as } = await exchanging({
      audience: 'https://api.example',
      clientId: 'me & co',
      clientSecret: 'client',
      scopes: ['read', 'write'],
      subjectTokenType: 'id_token',
    });
    await proxy.send({ headers: await as(), body: call(1, 'echo') });
    expect(endpoint.forms[0]).toMatchObject({
      audience: 'https://api.example',
      scope: 'read write',
      subject_token_type: `${URN}token-type:id_token`,
    });
    const [scheme, encoded = ''] = endpoint.authorizations[0]?.split(' ') ?? [];
    const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
    const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v');
    expect([scheme, decode(id), decode(secret)]).toEqual(['Basic', 'me & co', SECRET]);
    expect(endpoint.forms[0]).not.toHaveProperty('client_secret');
  });

  it(`${proves('R-5.3-04')} of a client without a secret names the client in the form`, async () => {
    const { proxy, endpoint, as } = await exchanging({ clientId: 'me' });
    await proxy.send({ headers: await as(), body: call(1, 'echo') });
    expect(endpoint.forms[0]).toMatchObject({ client_id: 'me' });
    expect(endpoint.authorizations).toEqual([undefined]);
  });

  it(`${proves('R-5.3-07')} travels in the header that is named`, async () => {
    const { proxy, server, as } = await exchanging({ headerName: 'X-Upstream-Auth' });
    await proxy.send({ headers: { ...(await as()), 'x-upstream-auth': 'forged' }, body: call(1, 'echo') });
    expect(server.seen[0]?.headers['x-upstream-auth']).toBe('Bearer exchanged-1');
  });

  it('for the proxy does not reach a remote server, whatever header the exchanged one has', async () => {
    const keys = await openKeys();
    const endpoint = await startEndpoint();
    const remote = { server: { kind: 'remote', url: 'http://127.0.0.1:1/mcp' } } as const;
    for (const headerName of ['X-Other', undefined]) {
      const { proxy, server } = await startGoverned({
        plan: {
          ...trusting(keys),
          ...remote,
          tokenExchange: { url: endpoint.url, ...(headerName === undefined ? {} : { headerName }) },
        },
      });
      const headers = await tokenOf(keys);
      expect((await proxy.send({ headers, body: call(1, 'echo') })).status).toBe(200);
      expect(JSON.stringify(server.seen[0]?.headers)).not.toContain(headers.authorization);
      expect(JSON.stringify(server.seen[0]?.headers)).toContain('Bearer exchanged-');
    }
  });

  it('that the proxy does not check is exchanged as well', async () => {
    const endpoint = await startEndpoint();
    const { proxy, server } = await startGoverned({ plan: { tokenExchange: { url: endpoint.url } } });
    await proxy.send({ headers: { authorization: 'bearer opaque' }, body: call(1, 'echo') });
    await proxy.send({ body: call(2, 'echo') });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer exchanged-1',
      undefined,
    ]);
    expect(endpoint.forms).toHaveLength(1);
  });

  it(`${proves('R-5.3-02')} stays the client's own without the flag`, async () => {
    const keys = await openKeys();
    const { proxy, server } = await startGoverned({ plan: trusting(keys) });
    const headers = await tokenOf(keys);
    await proxy.send({ headers, body: call(1, 'echo') });
    expect(server.seen[0]?.headers.authorization).toBe(headers.authorization);
  });

  it(`${proves('K-5-52')} that cannot be exchanged is 401, and reaches no server`, async () => {
    const { proxy, server, endpoint, as, audited } = await exchanging({
      clientId: 'me',
      clientSecret: 'client',
    });
    const headers = await as();
    endpoint.status = 400;
    const reply = await proxy.send({ headers, body: call('x', 'echo') });
    expect([reply.status, reply.json.id]).toEqual([401, 'x']);
    expect(reply.headers['www-authenticate']).toContain('Bearer error="invalid_token"');
    endpoint.status = 500;
    expect((await proxy.send({ headers, body: call(2, 'echo') })).status).toBe(401);
    expect(server.seen).toHaveLength(0);
    endpoint.status = 200;
    expect((await proxy.send({ headers, body: call(3, 'echo') })).status).toBe(200);
    const kept = JSON.stringify([await audited(), proxy.logged, reply.text]);
    for (const secret of [headers.authorization.slice(7), 'exchanged-', SECRET])
      expect(kept).not.toContain(secret);
    expect(kept).toContain('token_exchange_failed');
  });
});

describe('exchanged tokens', () => {
  it(`${proves('K-5-51')} are kept for each subject token, and asked for once when calls come together`, async () => {
    const { proxy, server, endpoint, as } = await exchanging();
    const [alice, bob] = [await as(), await as({ sub: 'bob' })];
    await Promise.all(
      Array.from({ length: 8 }, (_, id) =>
        proxy.send({ headers: id % 2 ? alice : bob, body: call(id, 'echo') }),
      ),
    );
    await proxy.send({ headers: alice, body: call(9, 'echo') });
    expect(endpoint.forms).toHaveLength(2);
    const pairs = new Set(
      server.seen.map(({ headers, body }) => `${headers.authorization} ${JSON.parse(body).id % 2}`),
    );
    expect(pairs.size).toBe(2);
  });

  it(`${proves('K-5-51')} are asked for anew when they end, or the subject token does`, async () => {
    let now = 0;
    let asked = 0;
    const ends = Number.POSITIVE_INFINITY;
    const exchange = rememberExchanges(
      async () => ({ token: `t${++asked}`, expiresIn: 100 }),
      () => now,
    );
    expect(await exchange('a', ends)).toBe('t1');
    now = 89_000;
    expect(await exchange('a', ends)).toBe('t1');
    now = 100_000;
    expect(await exchange('a', ends)).toBe('t2');
    expect(await exchange('b', 110_000)).toBe('t3');
    now = 110_000;
    expect(await exchange('b', 110_000)).toBe('t4');
  });

  it('are not kept when the exchange failed', async () => {
    let asked = 0;
    const exchange = rememberExchanges(
      () =>
        ++asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve({ token: 't', expiresIn: 9 }),
      () => 0,
    );
    await expect(exchange('a', 1)).rejects.toThrow('away');
    expect(await exchange('a', 1)).toBe('t');
  });
});

describe('the flags', () => {
  it(`${proves('R-5.3-01', 'R-5.3-02', 'R-5.3-06', 'R-5.3-08', 'R-5.3-09')} become a plan without the secret`, async () => {
    const words = ['--token-exchange-url', 'http://127.0.0.1:1/t', '--token-exchange-scopes', 'a,b'];
    const flags = await parseFlags(words, '/');
    expect(flags.tokenExchange).toEqual({ url: 'http://127.0.0.1:1/t', scopes: ['a', 'b'] });
    expect(makePlan({ tokenExchange: flags.tokenExchange }).tokenExchange?.subjectTokenType).toBe(
      'access_token',
    );
    expect((await parseFlags([], '/')).tokenExchange).toBeUndefined();
    const wrong = parseFlags([...words, '--token-exchange-subject-token-type', 'saml2'], '/');
    await expect(wrong).rejects.toMatchObject({ at: { flag: '--token-exchange-subject-token-type' } });
  });

  it(`${proves('R-5.3-05', 'R-5.3-06')} give the secret itself or a file that holds it, never both`, async () => {
    const directory = makeDirectory();
    writeFileSync(join(directory, 's'), `${SECRET}\n`);
    const secretOf = async (...words: string[]) => {
      const flags = await parseFlags(['--token-exchange-url', 'https://i/t', ...words], directory);
      expect(JSON.stringify(flags.tokenExchange)).not.toContain(SECRET);
      return flags.given.tokenExchangeClientSecret;
    };
    const [value, file] = [
      ['--token-exchange-client-secret', SECRET],
      ['--token-exchange-client-secret-file', 's'],
    ] as const;
    const client = ['--token-exchange-client-id', 'c'];
    expect(await secretOf(...client, ...value)).toBe(SECRET);
    expect(await secretOf(...client, ...file)).toBe(SECRET);
    await expect(secretOf(...client, ...value, ...file)).rejects.toThrow();
  });

  it('refuse plain http beyond loopback, and a secret that is missing', async () => {
    const open = (tokenExchange: PlanInput['tokenExchange']) =>
      createTokenExchangeContribution(makePlan({ tokenExchange }), {
        secrets: secretsOf({}),
        log: () => undefined,
      });
    await expect(open({ url: 'http://idp.example/t' })).rejects.toMatchObject({ code: 'token_exchange_url' });
    await expect(open({ url: 'https://i/t', clientId: 'c', clientSecret: 'gone' })).rejects.toThrow('gone');
  });
});
