import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rendered, type RenderedOptions } from '../../../server/http/rendered.ts';
import { proves } from '../../requirements/proves.ts';

const OPTIONS: RenderedOptions = {
  contentType: 'application/json',
  lastModified: 1_700_000_000_999,
  headers: { Vary: 'X' },
};
const LONG = Buffer.from(JSON.stringify({ text: 'long '.repeat(200) }));

describe('a rendered page', () => {
  it(`${proves('C-5-66', 'C-5-67')} is compressed as asked, and says so`, () => {
    const page = new Rendered(LONG, OPTIONS);
    const plain = page.answer(undefined, undefined);
    const gzip = page.answer('gzip', undefined);
    const br = page.answer('gzip, br', undefined);
    expect(plain.headers['Content-Encoding']).toBeUndefined();
    expect(gzip.headers['Content-Encoding']).toBe('gzip');
    expect(br.headers['Content-Encoding']).toBe('br');
    expect(gunzipSync(gzip.body ?? '')).toEqual(LONG);
    expect(brotliDecompressSync(br.body ?? '')).toEqual(LONG);
    for (const answer of [plain, gzip, br]) {
      expect(answer.headers['Content-Length']).toBe(String(answer.body?.length));
      expect(answer.headers).toMatchObject({
        'Content-Type': 'application/json',
        'Last-Modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
        Vary: 'X',
      });
    }
  });

  it('is left alone when it is small or compressed already', () => {
    const small = new Rendered(Buffer.from('{}'), OPTIONS);
    expect(small.answer('gzip, br', undefined).headers['Content-Encoding']).toBeUndefined();
    const archive = new Rendered(LONG, { ...OPTIONS, compressible: false });
    expect(archive.answer('gzip, br', undefined).body).toEqual(LONG);
  });

  it(`${proves('C-5-59')} has one strong ETag for each representation`, () => {
    const tagsOf = (body: Buffer) =>
      [undefined, 'gzip', 'br'].map(
        (encoding) => new Rendered(body, OPTIONS).answer(encoding, undefined).headers.ETag,
      );
    const tags = [...tagsOf(LONG), ...tagsOf(Buffer.concat([LONG, LONG]))];
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(new Set(tags).size).toBe(6);
    expect(tagsOf(Buffer.from(LONG))).toEqual(tags.slice(0, 3));
  });

  it(`${proves('C-5-61')} answers 304, without body and length, to the tag of the representation that would be sent`, () => {
    const page = new Rendered(LONG, OPTIONS);
    for (const encoding of [undefined, 'gzip', 'br', 'deflate']) {
      const { ETag = '' } = page.answer(encoding, undefined).headers;
      for (const header of [ETag, `W/${ETag}`, `"x", ${ETag}`, '*']) {
        const answer = page.answer(encoding, header);
        expect(answer.status, header).toBe(304);
        expect(answer.body).toBeUndefined();
        expect(answer.headers).toEqual({ ETag, 'Last-Modified': expect.any(String), Vary: 'X' });
      }
      const other = encoding === 'gzip' ? 'br' : 'gzip';
      expect(page.answer(other, ETag).status).toBe(200);
      expect(page.answer(encoding, '"x"').status).toBe(200);
    }
  });

  it('gives the bytes back whatever they are and whatever is asked for', () => {
    const encoding = fc.constantFrom(
      undefined,
      'gzip',
      'br',
      'identity',
      '*',
      'gzip;q=0',
      'br;q=0.1, gzip;q=0.2',
      '',
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), encoding, (bytes, accept) => {
        const { body = '', headers } = new Rendered(Buffer.from(bytes), OPTIONS).answer(accept, undefined);
        const coding = headers['Content-Encoding'];
        const plain =
          coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
        expect(Buffer.from(plain)).toEqual(Buffer.from(bytes));
      }),
    );
  });
});
