import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderConfig } from '../../../sources/config/schema.ts';

export type Alg = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';

export interface IdpKey {
  readonly alg: Alg;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export interface MintOptions {
  readonly alg?: Alg;
  readonly key?: IdpKey;
  /** null leaves `kid` out. */
  readonly kid?: string | null;
  readonly header?: Readonly<Record<string, unknown>>;
}

type Members = Readonly<Record<string, unknown>>;

/** An OpenID provider on loopback: discovery, JWKS, introspection, and a mint for good and bad tokens. */
export interface LoopbackIdp {
  readonly issuer: string;
  readonly base: string;
  keys: IdpKey[];
  /** What `/keys` and discovery answer instead of their documents. */
  override: { keys?: unknown; discovery?: unknown };
  /** While set, every request is answered with this status; `drop` cuts the connection. */
  down: number | 'drop' | undefined;
  readonly opaque: Map<string, unknown>;
  readonly requests: { path: string; headers: IncomingMessage['headers']; body: string }[];
  count(path: string): number;
  mint(members?: Members, options?: MintOptions): string;
  provider(more?: Partial<ProviderConfig>): ProviderConfig;
  close(): Promise<void>;
}

export const AUDIENCE = 'berth';
export const DISCOVERY = '/.well-known/openid-configuration';

export function makeKey(alg: Alg, kid: string = `${alg}-${randomUUID().slice(0, 8)}`): IdpKey {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    alg,
    kid,
    publicKey,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  };
}

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
export const seconds = (): number => Math.floor(Date.now() / 1000);

export function signWith(alg: Alg, key: KeyObject, data: string): string {
  const bytes = Buffer.from(data);
  const options =
    alg === 'PS256' ? { key, padding: 6, saltLength: 32 } : { key, dsaEncoding: 'ieee-p1363' as const };
  return sign(alg === 'EdDSA' ? null : 'sha256', bytes, options).toString('base64url');
}

export async function startIdp(path = ''): Promise<LoopbackIdp> {
  const requests: LoopbackIdp['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    const url = (request.url ?? '').slice(0);
    requests.push({ path: url, headers: request.headers, body });
    if (idp.down === 'drop') return void request.socket.destroy();
    const [status, answer] = idp.down === undefined ? route(url, body) : [idp.down, {}];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const route = (url: string, body: string): [number, unknown] => {
    const trimmed = path.replace(/\/$/, '');
    if (url === trimmed + DISCOVERY) {
      return [200, idp.override.discovery ?? { issuer: idp.issuer, jwks_uri: `${idp.base}/keys` }];
    }
    if (url === '/keys') return [200, idp.override.keys ?? { keys: idp.keys.map((key) => key.jwk) }];
    if (url === '/introspect') {
      return [200, idp.opaque.get(new URLSearchParams(body).get('token') ?? '') ?? { active: false }];
    }
    return [404, {}];
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const idp: LoopbackIdp = {
    issuer: base + path,
    base,
    keys: [makeKey('RS256'), makeKey('ES256')],
    override: {},
    down: undefined,
    opaque: new Map(),
    requests,
    count: (wanted) => requests.filter((request) => request.path === wanted).length,
    mint(members = {}, options = {}) {
      const alg = options.alg ?? options.key?.alg ?? 'ES256';
      const key = options.key ?? idp.keys.find((one) => one.alg === alg);
      if (!key) throw new Error(`the provider has no ${alg} key`);
      const kid = options.kid === undefined ? key.kid : options.kid;
      const header = { alg, typ: 'JWT', ...(kid === null ? {} : { kid }), ...options.header };
      const data = `${encode(header)}.${encode({ ...goodMembers(idp), ...members })}`;
      return `${data}.${signWith(alg, key.privateKey, data)}`;
    },
    provider: (more = {}) => ({
      name: 'main',
      issuerUrl: idp.issuer,
      audience: AUDIENCE,
      allowPrivateIP: true,
      insecureAllowHttp: false,
      ...more,
    }),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return idp;
}

export function goodMembers(idp: Pick<LoopbackIdp, 'issuer'>): Record<string, unknown> {
  return {
    iss: idp.issuer,
    aud: AUDIENCE,
    sub: 'someone',
    iat: seconds(),
    exp: seconds() + 3600,
    jti: randomUUID(),
  };
}

/** An HS256 token whose secret is something public. */
export function mintHmac(idp: LoopbackIdp, kid: string, secret: string | Buffer): string {
  const data = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(goodMembers(idp))}`;
  return `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`;
}
