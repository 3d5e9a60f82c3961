import { describe, expect, it } from 'vitest';
import { readClaimsText, writeClaimsText } from '../../../../server/site/admin/read-claims-text.ts';

describe('claims as they are typed', () => {
  it.each([
    ['', undefined],
    [' \n ', undefined],
    ['{}', {}],
    ['{"org": "acme", "team": ["a", "b"]}', { org: 'acme', team: ['a', 'b'] }],
    ['org=acme', { org: 'acme' }],
    ['org = acme \r\n\r\n team=a\nteam=b', { org: 'acme', team: ['a', 'b'] }],
    ['url=https://x.example/?a=b', { url: 'https://x.example/?a=b' }],
    ['empty=', { empty: '' }],
  ])('%j', (text, claims) => {
    expect(readClaimsText(text)).toEqual({ ok: true, claims });
  });

  it('keeps a key that plain objects give a meaning to, for the API to refuse', () => {
    const read = readClaimsText('__proto__=x\norg=acme');
    expect(read.ok && JSON.stringify(read.claims)).toBe('{"__proto__":"x","org":"acme"}');
  });

  it.each([
    ['{"org"', 'no JSON object'],
    ['["org"]', 'no JSON object'],
    ['"org"', 'no JSON object'],
    ['org', 'Line 1 has no key'],
    ['org=acme\n\n=x', 'Line 3 has no key'],
  ])('%j is refused', (text, message) => {
    const read = readClaimsText(text);
    expect(read.ok).toBe(false);
    expect(read).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('are read back as they are written', () => {
    const claims = { org: 'acme', team: ['a', 'b'] };
    expect(readClaimsText(writeClaimsText(claims))).toEqual({ ok: true, claims });
  });
});
