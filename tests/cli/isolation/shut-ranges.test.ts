import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { listShutIpv6, listShutRanges } from '../../../cli/isolation/shut-ranges.ts';
import { proves } from '../../requirements/proves.ts';

function isShut(ranges: readonly string[], address: string): boolean {
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    const [network, length] = ipaddr.parseCIDR(range.includes('/') ? range : `${range}/128`);
    return parsed.kind() === network.kind() && parsed.match(network, length);
  });
}

describe('listShutRanges', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '224.0.0.251',
    '255.255.255.255',
    '8.8.4.4',
  ])(`${proves('K-8.9-05')} shuts %s`, (address) => {
    expect(isShut(listShutRanges(['8.8.4.4'], []), address)).toBe(true);
  });

  it.each([
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '1.1.1.1',
    '172.32.0.1',
    '172.15.255.255',
    '100.128.0.1',
  ])(`${proves('K-8.9-07')} leaves %s open`, (address) => {
    expect(isShut(listShutRanges(['10.0.0.1'], []), address)).toBe(false);
  });

  it.each([
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'fc00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '2001:470::1',
  ])('shuts %s', (address) => {
    const ranges = listShutIpv6(['2001:470::1']);
    const plain = ipaddr.process(address).toString();
    expect(isShut(ipaddr.IPv6.isValid(plain) ? ranges : listShutRanges([], []), plain)).toBe(true);
  });

  it('leaves the documentation range of IPv6 open', () => {
    expect(isShut(listShutIpv6([]), '2001:db8::1')).toBe(false);
  });

  it(`${proves('K-8.9-06')} cuts out exactly the addresses that are opened`, () => {
    const address = fc
      .tuple(fc.constantFrom(10, 127, 203), fc.nat(255), fc.nat(255), fc.nat(255))
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(
        fc.uniqueArray(address, { maxLength: 4 }),
        fc.array(address, { maxLength: 3 }),
        address,
        (opened, own, probe) => {
          const ranges = listShutRanges(own, opened);
          for (const open of opened) expect(isShut(ranges, open)).toBe(false);
          if (!opened.includes(probe))
            expect(isShut(ranges, probe)).toBe(!probe.startsWith('203') || own.includes(probe));
        },
      ),
      { numRuns: 200 },
    );
  });
});
