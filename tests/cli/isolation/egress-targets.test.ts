import { describe, expect, it } from 'vitest';
import { sortEgressTargets } from '../../../cli/isolation/egress-targets.ts';
import { profileSchema } from '../../../cli/isolation/profile.ts';
import { proves } from '../../requirements/proves.ts';

describe('sortEgressTargets', () => {
  it(`${proves('K-8.9-04')} takes names, suffixes and addresses, in one spelling`, () => {
    const entries = [
      'Example.COM',
      'example.com.',
      '.Sub.example.org',
      'bücher.example',
      '203.0.113.7',
      '2001:DB8:0::1',
      '[2001:db8::1]',
      '::ffff:10.0.0.1',
      'under_score.example',
      'localhost',
    ];
    expect(sortEgressTargets(entries)).toEqual({
      names: ['example.com', 'xn--bcher-kva.example', 'under_score.example', 'localhost'],
      suffixes: ['sub.example.org'],
      addresses: ['203.0.113.7', '2001:db8::1', '10.0.0.1'],
    });
  });

  it.each([
    'http://example.com',
    'example.com:443',
    'example.com/path',
    '*.example.com',
    '*',
    '.',
    '..example.com',
    '',
    ' example.com',
    'example.com\nhttp_access allow all',
    'a b',
    '10.0.0.0/8',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '256.1.1.1',
    'fe80::1%eth0',
    '-x.example',
    `${'a'.repeat(64)}.example`,
  ])('refuses %j, before it is in any configuration', (entry) => {
    expect(() => sortEgressTargets([entry])).toThrow(/allow_host/);
    for (const direction of ['outbound', 'inbound']) {
      expect(profileSchema.safeParse({ network: { [direction]: { allow_host: [entry] } } }).success).toBe(
        false,
      );
    }
  });
});
