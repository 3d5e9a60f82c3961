import { request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { type LoopbackIdp, startIdp } from '../server/auth/loopback-idp.ts';
import { inlineSource } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';
import { body, headers, path, query } from './arbitrary-requests.ts';

const RUNS = 400;
let idp: LoopbackIdp;
let service: Service;
let tokens: string[];

beforeAll(async () => {
  idp = await startIdp();
  service = await startService({
    sources: [
      inlineSource('tools', ['com.acme/one@1.0.0', 'com.acme/one@2.0.0', 'com.acme/two'], {
        claims: { org: 'acme' },
      }),
      { name: 'published', managed: {}, claims: { org: 'acme' } },
    ],
    registries: [{ name: 'tools', sources: ['tools', 'published'], claims: { org: 'acme' } }],
    auth: {
      oauth: { resourceUrl: 'http://registry.example.test', providers: [idp.provider()] },
      authz: { roles: { superAdmin: [{ role: 'root' }], manageEntries: [{ org: 'acme' }] } },
    },
    limits: { maxBodyBytes: 4096 },
  });
  tokens = [
    idp.mint({ role: 'root' }),
    idp.mint({ org: 'acme' }),
    idp.mint({ org: ['globex', 7, null] }),
    '',
  ];
});
afterAll(async () => {
  await service?.stop();
  await idp?.close();
});

function send(
  method: string,
  target: string,
  token: string,
  more: Record<string, string>,
  text: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
    const sent = request(service.url, { method, path: target, headers: { ...authorization, ...more } });
    sent.setTimeout(5000, () => sent.destroy(new Error('no answer within 5 s')));
    sent.once('error', (error) => {
      // The service ended a kept connection just when it was used again: nothing was asked yet.
      if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
        resolve(send(method, target, token, more, text));
      } else reject(error);
    });
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(method === 'GET' || method === 'HEAD' ? undefined : text);
  });
}

describe('whatever is sent', () => {
  it.each([
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'HEAD',
    'PROPFIND',
  ])(`${proves('C-9-01', 'C-9-05')} %s is never answered by a 5xx`, async (method) => {
    const who = fc.nat({ max: tokens.length - 1 });
    const runs = method === 'GET' ? RUNS * 2 : RUNS / 2;
    await fc.assert(
      fc.asyncProperty(path, query, who, headers, body, async (where, asked, caller, more, text) => {
        const target = encodeURI(`${where}?${asked}`).replaceAll('%25', '%');
        const status = await send(method, target, tokens[caller] ?? '', more, text);
        expect(status, `${method} ${target}`).toBeLessThan(500);
        expect(status).toBeGreaterThanOrEqual(200);
      }),
      { numRuns: runs },
    );
  });

  it('that is no HTTP at all ends the connection with 400, and the service goes on', async () => {
    const { port } = new URL(service.url);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const answer = await new Promise<string>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1', () =>
            socket.end(Buffer.concat([bytes, Buffer.from('\r\n\r\n')])),
          );
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk;
          });
          socket.once('error', (error: NodeJS.ErrnoException) =>
            error.code === 'ECONNRESET' ? resolve(text) : reject(error),
          );
          socket.once('close', () => resolve(text));
        });
        expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
      }),
      { numRuns: 100 },
    );
    expect((await service.probe('/readiness')).status).toBe(200);
  });

  it('leaves no unexpected failure in the log', () => {
    expect(service.log()).not.toMatch(/failed unexpectedly|unhandled|uncaught/i);
  });
});
