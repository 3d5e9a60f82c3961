import type { Fetched } from '../../../sources/kinds/fetched.ts';

/** A fetch of one file. */
export function fetchedFile(text: string, path = 'registry.json'): Fetched {
  return { layout: 'file', files: [rawFile(path, text)], origin: { kind: 'file' }, digest: 'x' };
}

/** A fetch of a tree: path to text. */
export function fetchedTree(files: Readonly<Record<string, string>>): Fetched {
  const raw = Object.entries(files).map(([path, text]) => rawFile(path, text));
  return { layout: 'directory', files: raw, origin: { kind: 'file' }, digest: 'x' };
}

function rawFile(path: string, text: string) {
  return { path, bytes: new TextEncoder().encode(text) };
}

/** The smallest valid server.json. */
export function server(
  name: string,
  members: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { name, description: `About ${name}`.slice(0, 100), version: '1.0.0', ...members };
}

/** The smallest valid skill object. */
export function skill(
  namespace: string,
  name: string,
  members: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { namespace, name, description: `About ${name}`, version: '1.0.0', ...members };
}

/** A publisher-provided `_meta` with one described package. */
export function publisherMeta(
  described: Readonly<Record<string, unknown>>,
  vendor = 'io.github.vendor',
): Record<string, unknown> {
  return { 'io.modelcontextprotocol.registry/publisher-provided': { [vendor]: { 'some/image': described } } };
}
