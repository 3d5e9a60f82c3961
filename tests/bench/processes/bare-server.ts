// The measure of all things here: a node:http server that writes answers, read from a JSON file, in turn.
// With `verify` it verifies the bearer token of each request with jose before it answers, and remembers nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import type { BareSettings } from './bare-answer.ts';

const { answers, verify }: BareSettings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const written = answers.map(({ status, headers, body }) => ({
  status,
  headers,
  body: body === undefined ? undefined : Buffer.from(body, 'base64'),
}));
const key = verify && (await importJWK(verify.jwk, 'RS256'));
let next = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const write = () => {
    const answer = written[next++ % written.length];
    response.writeHead(answer?.status ?? 500, answer?.headers);
    response.end(answer?.body);
  };
  if (!key || !verify) {
    write();
    return;
  }
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const { issuer, audience } = verify;
  jwtVerify(token, key, { issuer, audience, algorithms: ['RS256'] }).then(write, () => {
    response.writeHead(401);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
