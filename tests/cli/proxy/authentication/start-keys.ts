import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface KeyServer {
  readonly url: string;
  /** Paths asked for, with the authorization that came along. */
  readonly asked: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: string;
  }[];
  /** Answers of introspection by token. */
  readonly opaque: Map<string, Record<string, unknown>>;
  token(claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** An issuer on loopback: discovery, keys, introspection, and tokens of any content. */
export async function startKeys(): Promise<KeyServer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  const asked: KeyServer['asked'] = [];
  const opaque: KeyServer['opaque'] = new Map();
  const read = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };
  const server = createServer(async (request, response) => {
    const body = await read(request);
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/jwks` },
      '/jwks': { keys: [jwk] },
      '/introspect': opaque.get(new URLSearchParams(body).get('token') ?? '') ?? { active: false },
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    opaque,
    token: (claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: url, aud: 'tested', sub: 'alice', iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
