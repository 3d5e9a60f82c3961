import ipaddr from 'ipaddr.js';

/**
 * What no profile opens as a whole (contract 4 and 8): this network, private, CGNAT, loopback, link-local, protocol
 * assignments (which hold metadata services), multicast and reserved addresses, and the one metadata service that has
 * a public address. The documentation ranges are not here on purpose: they count as public.
 */
const SHUT_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** For names with IPv6 addresses; literals are judged by their text. Translation ranges hide IPv4 addresses. */
const SHUT_IPV6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/**
 * The IPv4 ranges a gateway refuses, whatever name leads there.
 *
 * @param own addresses of the host and its bridges, public ones too
 * @param opened addresses an allow list names literally: cut out exactly
 */
export function listShutRanges(own: readonly string[], opened: readonly string[]): readonly string[] {
  const beyond = own.filter(
    (address) => ipaddr.IPv4.isValid(address) && !SHUT_IPV4.some((range) => holds(range, address)),
  );
  const shut = [...SHUT_IPV4, ...beyond.map((address) => `${address}/32`)];
  const cut = opened.filter((address) => ipaddr.IPv4.isValid(address));
  return [
    ...new Set(cut.reduce((ranges, address) => ranges.flatMap((range) => cutOut(range, address)), shut)),
  ];
}

/** The same for IPv6, without exceptions: an opened IPv6 address is only opened as a literal. */
export function listShutIpv6(own: readonly string[]): readonly string[] {
  const beyond = own.filter(
    (address) => ipaddr.IPv6.isValid(address) && !SHUT_IPV6.some((range) => holds(range, address)),
  );
  return [...SHUT_IPV6, ...beyond];
}

function holds(range: string, address: string): boolean {
  const parsed = ipaddr.parse(address);
  const [network, length] = ipaddr.parseCIDR(range);
  return parsed.kind() === network.kind() && parsed.match(network, length);
}

/** The ranges that hold every address of `range` but one. */
function cutOut(range: string, address: string): readonly string[] {
  const [network, length] = ipaddr.IPv4.parseCIDR(range);
  if (!ipaddr.IPv4.parse(address).match(network, length)) return [range];
  const target = toNumber(address);
  const rest: string[] = [];
  for (let bits = length + 1; bits <= 32; bits++) {
    const size = 2 ** (32 - bits);
    // The half that does not hold the address.
    const half = Math.floor(target / size);
    rest.push(`${fromNumber((half % 2 === 0 ? half + 1 : half - 1) * size)}/${bits}`);
  }
  return rest;
}

function toNumber(address: string): number {
  return ipaddr.IPv4.parse(address).octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

function fromNumber(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
