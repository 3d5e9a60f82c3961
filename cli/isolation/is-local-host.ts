import { listHostAddresses } from './host-facts.ts';

/** True for a name or address of this machine. */
export function isLocalHost(host: string): boolean {
  const plain = (/^\[(.*)\]$/.exec(host)?.[1] ?? host).toLowerCase();
  if (plain === 'localhost' || plain === '0.0.0.0' || plain === '::' || /^127\./.test(plain)) return true;
  return listHostAddresses().includes(plain);
}
