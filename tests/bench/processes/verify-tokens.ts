// How many new tokens a second of processor time our authenticator validates, and how many jose's jwtVerify alone,
// the key imported before, with the same number under way; prints both as JSON.
import { readFileSync } from 'node:fs';
import { importJWK, jwtVerify } from 'jose';
import { createAuthenticator } from '../../../server/auth/authenticator.ts';
import { isFailure } from '../../../server/auth/identity.ts';
import { authSchema } from '../../../sources/config/schema.ts';

interface Input {
  readonly tokens: readonly string[];
  readonly jwk: Record<string, unknown>;
  readonly issuerUrl: string;
  readonly audience: string;
  readonly concurrency: number;
}

const { tokens, jwk, issuerUrl, audience, concurrency }: Input = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
const config = authSchema.parse({
  oauth: {
    resourceUrl: 'http://127.0.0.1:8080',
    providers: [{ name: 'loopback', issuerUrl, audience, allowPrivateIP: true }],
  },
  authz: { roles: {} },
});
const authenticator = createAuthenticator(config, { baseDir: '/', log: () => undefined });
const key = await importJWK(jwk, 'RS256');

const validate = async (token: string) => {
  const result = await authenticator.authenticate(`Bearer ${token}`, '/registry/bench/v0.1/servers');
  if (isFailure(result)) throw new Error(result.description);
};
const verify = async (token: string) => {
  await jwtVerify(token, key, { issuer: issuerUrl, audience, algorithms: ['RS256'] });
};

// Alternating slices: what disturbs one side disturbs the other.
const SLICES = 8;
const spent = { ours: 0, theirs: 0 };
const half = Math.floor(tokens.length / SLICES);
await measure(tokens.slice(0, Math.min(200, half)), validate);
await measure(tokens.slice(0, Math.min(200, half)), verify);
for (let slice = 0; slice < SLICES; slice++) {
  const part = tokens.slice(slice * half + (slice === 0 ? 200 : 0), (slice + 1) * half);
  spent.ours += await measure(part, validate);
  spent.theirs += await measure(part, verify);
}
const count = half * SLICES - 200;
process.stdout.write(JSON.stringify({ ours: count / spent.ours, theirs: count / spent.theirs }));

/** Seconds of processor time for all of them, `concurrency` under way at any moment. */
async function measure(part: readonly string[], one: (token: string) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const work = async () => {
    for (let token = part[next++]; token !== undefined; token = part[next++]) await one(token);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
