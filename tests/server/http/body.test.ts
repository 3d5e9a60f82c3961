import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../server/http/parse-json-body.ts';
import type { HttpError } from '../../../server/http/problem.ts';
import { readBody } from '../../../server/http/read-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const post = (body: string, headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1/', { method: 'POST', body, headers });

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A loopback server that reads a body of at most 10 bytes and hands over what came of it. */
async function readOnce(send: (port: number) => void): Promise<Uint8Array | HttpError> {
  const server = createServer();
  const outcome = new Promise<Uint8Array | HttpError>((settle) => {
    server.on('request', (request, response) => {
      readBody(request, 10)
        .then(settle, settle)
        .finally(() => response.end());
    });
  });
  closers.push(() => server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  send((server.address() as AddressInfo).port);
  return outcome;
}

describe('readBody', () => {
  it('reads a Web request whole, up to the last allowed byte', async () => {
    expect(Buffer.from(await readBody(post('0123456789'), 10)).toString()).toBe('0123456789');
    expect(await readBody(new Request('http://127.0.0.1/'), 10)).toHaveLength(0);
  });

  it('refuses a declared length over the limit before it reads', async () => {
    const request = post('x', { 'Content-Length': '11' });
    await expect(readBody(request, 10)).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
    expect(request.bodyUsed).toBe(false);
  });

  it('stops a stream of unknown length soon behind the limit, whose answer a client can still read', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(bytes('x'.repeat(8192)));
      },
    });
    const request = new Request('http://127.0.0.1/', { method: 'POST', body: endless, duplex: 'half' });
    await expect(readBody(request, 10)).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
      headers: { Connection: 'close' },
    });
    expect(pulled).toBeLessThan(12);
  });

  it('reads a Node request in pieces and refuses one that is too long', async () => {
    const chunked = (...pieces: string[]) =>
      readOnce((port) => {
        const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' }).on('error', () => {});
        for (const piece of pieces) request.write(piece);
        request.end();
      });
    expect(Buffer.from((await chunked('abc', 'def')) as Uint8Array).toString()).toBe('abcdef');
    expect(await chunked('abcdef', 'ghijk')).toMatchObject({ status: 413 });
  });

  it('says so when the client goes away in the middle', async () => {
    const outcome = await readOnce((port) => {
      const request = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        headers: { 'Content-Length': 9 },
      });
      request.on('error', () => {});
      request.write('abc', () => request.destroy());
    });
    expect(outcome).toMatchObject({ status: 400, code: 'body_incomplete' });
  });
});

describe('parseJsonBody', () => {
  it.each([
    undefined,
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/merge-patch+json',
  ])('reads JSON sent as %s', (type) => {
    expect(parseJsonBody(bytes('\ufeff{"a":"é"}'), type)).toEqual({ a: 'é' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    '',
  ])('refuses %j with 415', (type) => {
    expect(() => parseJsonBody(bytes('{}'), type)).toThrow(
      expect.objectContaining({ status: 415, code: 'media_type_unsupported' }),
    );
  });

  it('names line and column of broken JSON, and never its content', () => {
    expect(() => parseJsonBody(bytes('{\n "password": hunter2}'), undefined)).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'body_invalid_json',
        message: 'The body is not valid JSON at line 2, column 14.',
      }),
    );
  });

  it.each([
    ['an empty body', new Uint8Array(), 'body_missing'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'body_invalid_json'],
    ['a body nested too deep', bytes('['.repeat(101) + ']'.repeat(101)), 'body_too_deep'],
  ])('refuses %s', (_, body, code) => {
    expect(() => parseJsonBody(body, 'application/json')).toThrow(
      expect.objectContaining({ status: 400, code }),
    );
  });

  it('counts no brackets inside strings', () => {
    const text = JSON.stringify({ a: `\\"${'['.repeat(500)}` });
    expect(parseJsonBody(bytes(text), undefined)).toEqual(JSON.parse(text));
  });
});
