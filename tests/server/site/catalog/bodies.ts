import type { CatalogEntry } from '../../../../sources/model/entry.ts';
import { PUBLISHER_META } from '../../../../sources/model/meta-keys.ts';

const npm = { registryType: 'npm', identifier: '@acme/a', version: '1.0.0', transport: { type: 'stdio' } };
const image = { registryType: 'oci', identifier: 'ghcr.io/acme/a:1', transport: { type: 'stdio' } };
const served = {
  registryType: 'oci',
  identifier: 'ghcr.io/acme/b:1',
  transport: { type: 'sse', url: 'http://localhost:8080/sse' },
};
const remote = { type: 'streamable-http', url: 'https://mcp.example.com/mcp' };

/** Ways to offer a server, among them two packages of one kind and nothing at all. */
const OFFERS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { packages: [npm] },
  { packages: [image, served] },
  { remotes: [remote] },
  { packages: [npm, image], remotes: [remote, { ...remote, type: 'sse' }] },
];
export const TRANSPORTS = ['stdio', 'streamable-http', 'sse', 'websocket'];
export const PACKAGES = ['npm', 'oci', 'remote', 'pypi'];

/** The entry with packages and remotes that differ from version to version, and its tags where publishers write them. */
export function withOffer(entry: CatalogEntry, index: number): CatalogEntry {
  const meta = { [PUBLISHER_META]: { 'com.acme': { it: { tags: entry.tags } } } };
  return { ...entry, body: { ...entry.body, ...OFFERS[index % OFFERS.length], _meta: meta } };
}
