import {
  AUDIENCE,
  encode,
  goodMembers,
  type LoopbackIdp,
  makeKey,
  mintHmac,
  seconds,
  signWith,
} from './loopback-idp.ts';

type Mint = (idp: LoopbackIdp) => string;

function key(idp: LoopbackIdp, alg: 'RS256' | 'ES256') {
  const found = idp.keys.find((one) => one.alg === alg);
  if (!found) throw new Error(`the provider has no ${alg} key`);
  return found;
}

function split(token: string): [string, string, string] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
}

/** Tokens that must be refused, with the reason that metrics count. */
export const BAD_TOKENS: ReadonlyArray<readonly [name: string, reason: string, mint: Mint]> = [
  ['expired 120 s ago', 'expired', (idp) => idp.mint({ iat: seconds() - 7200, exp: seconds() - 120 })],
  ['not valid for ten minutes', 'not_yet_valid', (idp) => idp.mint({ nbf: seconds() + 600 })],
  ['without exp', 'malformed', (idp) => idp.mint({ exp: undefined })],
  ['exp as text', 'malformed', (idp) => idp.mint({ exp: 'never' })],
  ['exp as null', 'malformed', (idp) => idp.mint({ exp: null })],
  ['nbf as text', 'malformed', (idp) => idp.mint({ nbf: 'now' })],
  ['another issuer', 'issuer', (idp) => idp.mint({ iss: 'http://127.0.0.1:1/other' })],
  ['issuer with a slash more', 'issuer', (idp) => idp.mint({ iss: `${idp.issuer}/` })],
  ['issuer in another case', 'issuer', (idp) => idp.mint({ iss: idp.issuer.replace('http', 'HTTP') })],
  ['issuer with a blank', 'issuer', (idp) => idp.mint({ iss: `${idp.issuer} ` })],
  ['issuer as array', 'issuer', (idp) => idp.mint({ iss: [idp.issuer] })],
  ['without issuer', 'issuer', (idp) => idp.mint({ iss: undefined })],
  ['another audience', 'audience', (idp) => idp.mint({ aud: 'another-service' })],
  ['audience as a prefix', 'audience', (idp) => idp.mint({ aud: `${AUDIENCE}-admin` })],
  ['audiences without ours', 'audience', (idp) => idp.mint({ aud: ['another-service', 'third'] })],
  ['without audience', 'audience', (idp) => idp.mint({ aud: undefined })],
  [
    'a changed signature',
    'signature',
    (idp) => {
      const [header, payload, signature] = split(idp.mint());
      const bytes = Buffer.from(signature, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(0) ^ 0x55, 0);
      return `${header}.${payload}.${bytes.toString('base64url')}`;
    },
  ],
  [
    'a changed payload',
    'signature',
    (idp) => {
      const [header, payload, signature] = split(idp.mint());
      const members = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return `${header}.${encode({ ...members, role: 'super-admin' })}.${signature}`;
    },
  ],
  ['an empty signature', 'signature', (idp) => `${split(idp.mint()).slice(0, 2).join('.')}.`],
  ['alg none', 'algorithm', (idp) => `${encode({ alg: 'none', typ: 'JWT' })}.${split(idp.mint())[1]}.`],
  [
    'alg nOnE',
    'algorithm',
    (idp) => {
      const [, payload, signature] = split(idp.mint());
      return `${encode({ alg: 'nOnE', kid: key(idp, 'RS256').kid })}.${payload}.${signature}`;
    },
  ],
  [
    'HS256 with the public key (PEM)',
    'algorithm',
    (idp) => {
      const { kid, publicKey } = key(idp, 'RS256');
      return mintHmac(idp, kid, publicKey.export({ type: 'spki', format: 'pem' }));
    },
  ],
  [
    'HS256 with the public key (DER)',
    'algorithm',
    (idp) => {
      const { kid, publicKey } = key(idp, 'RS256');
      return mintHmac(idp, kid, publicKey.export({ type: 'spki', format: 'der' }));
    },
  ],
  [
    'HS256 with the public JWK',
    'algorithm',
    (idp) => mintHmac(idp, key(idp, 'RS256').kid, JSON.stringify(key(idp, 'RS256').jwk)),
  ],
  ['a key that was never published', 'unknown_key', (idp) => idp.mint({}, { key: makeKey('ES256') })],
  [
    'a foreign key under a published kid',
    'signature',
    (idp) => idp.mint({}, { key: makeKey('ES256', key(idp, 'ES256').kid) }),
  ],
  ['a foreign key without kid', 'signature', (idp) => idp.mint({}, { key: makeKey('ES256'), kid: null })],
  [
    'a key in the header',
    'unknown_key',
    (idp) => {
      const own = makeKey('ES256');
      return idp.mint({}, { key: own, header: { jwk: own.jwk } });
    },
  ],
  [
    'a key in the header under a published kid',
    'signature',
    (idp) => {
      const own = makeKey('ES256', key(idp, 'ES256').kid);
      return idp.mint({}, { key: own, header: { jwk: own.jwk, jku: `${idp.base}/evil` } });
    },
  ],
  [
    'an RS256 header over an ES256 signature',
    'unknown_key',
    (idp) => {
      const { kid, privateKey } = key(idp, 'ES256');
      const data = `${encode({ alg: 'RS256', kid })}.${encode(goodMembers(idp))}`;
      return `${data}.${signWith('ES256', privateKey, data)}`;
    },
  ],
  ['an unknown crit', 'malformed', (idp) => idp.mint({}, { header: { crit: ['x-a'], 'x-a': true } })],
  [
    'a payload that is not encoded',
    'malformed',
    (idp) => idp.mint({}, { header: { crit: ['b64'], b64: false } }),
  ],
  ['no JWT', 'malformed', () => 'opaque-token'],
  ['four parts', 'malformed', (idp) => `${idp.mint()}.x`],
  ['a payload that is no object', 'malformed', () => `${encode({ alg: 'ES256' })}.${encode([1])}.AAAA`],
];
