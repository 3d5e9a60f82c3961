import { isIP } from 'node:net';

const MOST = 100;
/** Second-level names that say as little as the top-level one: `co.uk`. */
const PUBLIC_LABELS = new Set(['co', 'com', 'org', 'net', 'gov', 'ac', 'edu']);

/** Any text as the name of a workload. */
export function toWorkloadName(text: string): string {
  const name = text
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+/, '')
    .slice(0, MOST)
    .replace(/[^a-zA-Z0-9]+$/, '');
  return name === '' ? 'workload' : name;
}

/** `io.example/fetch` gives `io-example-fetch`. */
export function deriveNameOfEntry(name: string): string {
  return toWorkloadName(name.replaceAll(/[./]/g, '-'));
}

/** The last two parts of the path of an image, without registry host, tag and digest. */
export function deriveNameOfImage(repository: string): string {
  return toWorkloadName(repository.split('/').slice(-2).join('-'));
}

/** The package without its version and scope sign. */
export function deriveNameOfPackage(name: string): string {
  return toWorkloadName(name.replaceAll(/[@/.]+/g, '-'));
}

/** The label of a host that says most: `api.github.com` gives `github`. */
export function deriveNameOfHost(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return toWorkloadName(`remote-${host.replaceAll(/[.:]+/g, '-').replace(/^-/, '')}`);
  const labels = host.split('.');
  const before = labels.at(-2);
  if (before === undefined) return toWorkloadName(host);
  const third = labels.at(-3);
  return toWorkloadName(PUBLIC_LABELS.has(before) && third !== undefined ? third : before);
}
