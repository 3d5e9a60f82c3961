// The measure of all things here: a node:http server that writes one answer, read from a JSON file, to every request.
// With `jwk` it verifies the bearer token of each request with jose before it answers, and remembers nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import type { BareAnswer } from './bare-answer.ts';

const answer: BareAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const body = answer.body === undefined ? undefined : Buffer.from(answer.body, 'base64');
const key = answer.jwk ? await importJWK(answer.jwk, 'RS256') : undefined;
const { status, headers, issuer = '', audience = '' } = answer;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const write = () => {
    response.writeHead(status, headers);
    response.end(body);
  };
  if (!key) {
    write();
    return;
  }
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  jwtVerify(token, key, { issuer, audience, algorithms: ['RS256'] }).then(write, () => {
    response.writeHead(401);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
