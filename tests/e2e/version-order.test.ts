import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { inlineSource } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** Versions as they are found in real catalogs, in file order, and newest first as they have to come back. */
const CASES: readonly (readonly [name: string, given: string, listed: string, latest: string])[] = [
  ['pre-release-over-stable', '1.9.0 2.0.0-rc.1 1.2.0 1.10.0', '2.0.0-rc.1 1.10.0 1.9.0 1.2.0', '1.10.0'],
  ['letter-v', 'v1.10.0 v1.2.0 1.9.3 v1.0.0', 'v1.10.0 1.9.3 v1.2.0 v1.0.0', 'v1.10.0'],
  ['two-parts', '2024.2 2025.1 2024.11 2024.11.1', '2025.1 2024.11.1 2024.11 2024.2', '2025.1'],
  ['one-word', '0.2.0 nightly 0.1.3', '0.2.0 0.1.3 nightly', '0.2.0'],
  [
    'semver-example',
    '1.0.0-beta.11 1.0.0-alpha 1.0.0 1.0.0-alpha.beta 1.0.0-rc.1 1.0.0-beta 1.0.0-alpha.1 1.0.0-beta.2',
    '1.0.0 1.0.0-rc.1 1.0.0-beta.11 1.0.0-beta.2 1.0.0-beta 1.0.0-alpha.beta 1.0.0-alpha.1 1.0.0-alpha',
    '1.0.0',
  ],
  ['digits', '99.0.0 9.0.0 100.0.0 10.0.0', '100.0.0 99.0.0 10.0.0 9.0.0', '100.0.0'],
  [
    'only-pre-releases',
    '0.2.0-dev.20250101 0.1.0-beta.1 0.1.0-beta.2',
    '0.2.0-dev.20250101 0.1.0-beta.2 0.1.0-beta.1',
    '0.2.0-dev.20250101',
  ],
  ['only-words', 'stable nightly edge', 'stable nightly edge', 'stable'],
  ['dates', '2025.4.24 2025.10.1 2025.4.6', '2025.10.1 2025.4.24 2025.4.6', '2025.10.1'],
];

let service: Service;
beforeAll(async () => {
  const versions = CASES.flatMap(([name, given]) => given.split(' ').map((one) => `com.acme/${name}@${one}`));
  service = await startService({
    sources: [inlineSource('tools', versions)],
    registries: [{ name: 'tools', sources: ['tools'] }],
    auth: { mode: 'anonymous' },
  });
});
afterAll(() => service?.stop());

interface Item {
  readonly server: { readonly version: string };
  readonly _meta: Readonly<Record<string, { readonly isLatest?: boolean }>>;
}
const versionsOf = (items: readonly Item[]) => items.map(({ server }) => server.version);

describe('the versions of a server', () => {
  it.each(
    CASES,
  )(`${proves('C-5-39', 'C-5-40', 'C-5-41', 'C-5-42')} come newest first, with one latest: %s`, async (name, _given, listed, latest) => {
    const path = `/registry/tools/v0.1/servers/com.acme%2F${name}/versions`;
    const { json } = await service.ask(path);
    expect(versionsOf(json.servers)).toEqual(listed.split(' '));
    expect(versionsOf(json.servers.filter((item: Item) => item._meta[OFFICIAL]?.isLatest))).toEqual([latest]);
    expect((await service.ask(`${path}/latest`)).json.server.version).toBe(latest);
    const found = await service.ask(`/registry/tools/v0.1/servers?version=latest&search=${name}&limit=100`);
    expect(versionsOf(found.json.servers)).toContain(latest);
  });
});
