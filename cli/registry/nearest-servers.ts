import { findNearestName } from '../../sources/config/nearest-name.ts';

const MOST = 3;

/** Names of servers that a name that is none may have meant, the likeliest first. */
export function findNearestServers(wanted: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const lastPart = partAfterSlash(wanted);
  const whole = findNearestName(wanted, names);
  if (whole !== undefined) found.add(whole);
  for (const name of names) {
    if (partAfterSlash(name).toLowerCase() === lastPart.toLowerCase() && name !== wanted) found.add(name);
  }
  const parts = names.map(partAfterSlash);
  const near = findNearestName(lastPart, parts);
  for (const [index, part] of parts.entries()) if (part === near) found.add(names[index] ?? '');
  if (lastPart.length >= 4) {
    for (const name of names) if (name.toLowerCase().includes(lastPart.toLowerCase())) found.add(name);
  }
  found.delete('');
  return [...found].slice(0, MOST);
}

/** What follows the namespace of a server name. */
export function partAfterSlash(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
