import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { AUDIENCE } from './catalog/write-catalog.ts';

const signAsync = promisify(sign);
const KID = 'bench-1';

/** An identity provider on loopback: discovery, one RSA key, and tokens as many as wanted. */
export interface Issuer {
  readonly url: string;
  /** The public key as a JWK. */
  readonly jwk: Readonly<Record<string, unknown>>;
  /** An RS256 token for these claims that lives for a day. */
  issue(claims: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: KID, alg: 'RS256', use: 'sig' };
  let url = '';
  const server = createServer((request, response) => {
    const known: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/jwks` },
      '/jwks': { keys: [jwk] },
    };
    const document = known[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwk,
    issue: (claims) => signToken(privateKey, { iss: url, aud: AUDIENCE, ...claims }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function signToken(key: KeyObject, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'RS256', kid: KID, typ: 'JWT' })}.${encode({ iat: now, exp: now + 86_400, ...claims })}`;
  const signature = await signAsync('sha256', Buffer.from(input), key);
  return `${input}.${signature.toString('base64url')}`;
}

/** Tokens that differ in everything a cache could know them by, made several at a time. */
export async function issueMany(
  issuer: Issuer,
  count: number,
  claimsOf: (index: number) => Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const tokens: string[] = new Array(count);
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      tokens[index] = await issuer.issue({ jti: `token-${index}`, ...claimsOf(index) });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return tokens;
}
