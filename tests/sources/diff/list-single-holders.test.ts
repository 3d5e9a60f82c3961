import { expect, it } from 'vitest';
import { listSingleHolders } from '../../../sources/diff/list-single-holders.ts';
import { normalizeClaims, writeClaims } from '../../../sources/model/claims.ts';

const list = (claims: Record<string, string | string[]>) =>
  listSingleHolders(normalizeClaims(claims)).map(writeClaims);

it('gives everybody who holds one of several values, and nobody where there is one', () => {
  expect(list({ org: 'acme', team: 'data' })).toEqual([]);
  expect(list({ org: ['acme', 'contoso'], team: ['data', 'web'] })).toEqual([
    { org: 'acme', team: 'data' },
    { org: 'acme', team: 'web' },
    { org: 'contoso', team: 'data' },
    { org: 'contoso', team: 'web' },
  ]);
});

it('stays bounded', () => {
  const many = Array.from({ length: 20 }, (_, index) => `v${index}`);
  expect(list({ a: many, b: many, c: many })).toHaveLength(64);
});
