import { describe, expect, it } from 'vitest';
import { proves } from '../../requirements/proves.ts';
import { readServer, readServers, startBench } from '../../support/consumer-bench.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** Versions as a catalog holds them, newest first, and which of them is the latest. */
const TABLE: readonly (readonly [versions: readonly string[], latest: string])[] = [
  [['2.0.0-rc.1', '1.10.0', '1.9.0', '1.2.0'], '1.10.0'],
  [['v1.10.0', '1.9.3', 'v1.2.0', 'v1.0.0'], 'v1.10.0'],
  [['2025.1', '2024.11.1', '2024.11', '2024.2'], '2025.1'],
  [['0.2.0', '0.1.3', 'nightly'], '0.2.0'],
  [
    [
      '1.0.0',
      '1.0.0-rc.1',
      '1.0.0-beta.11',
      '1.0.0-beta.2',
      '1.0.0-beta',
      '1.0.0-alpha.beta',
      '1.0.0-alpha.1',
      '1.0.0-alpha',
    ],
    '1.0.0',
  ],
  [['1.0.0+build.9', '1.0.0+build.10', '1.0.0'], '1.0.0+build.9'],
  [['100.0.0', '99.0.0', '10.0.0', '9.0.0'], '100.0.0'],
  [['0.2.0-dev.20250101', '0.1.0-beta.2', '0.1.0-beta.1'], '0.2.0-dev.20250101'],
  [['stable', 'nightly', 'edge'], 'stable'],
  [['v1.0.0', '1.0.0', '1.0', '1'], 'v1.0.0'],
  [['2025.10.1', '2025.4.24', '2025.4.6', '2025.04.25'], '2025.10.1'],
  [['1.0.1-rc.1', '1.0.0', '0.10.0', '0.9.0'], '1.0.0'],
  [['2025.8.21', '2025.4.24', '0.6.2', '2025-08-21'], '2025.8.21'],
  [['2.0.0-a', 'zeta', 'alpha', '1.x-dev'], '2.0.0-a'],
];

describe('the versions of an entry', () => {
  it.each(
    TABLE,
  )(`${proves('C-5-38', 'C-5-39', 'C-5-40', 'C-5-41', 'C-5-42', 'C-5-10', 'S-2.4-03')} %j come in this order, with %s as latest`, async (versions, latest) => {
    for (const order of [versions, [...versions].reverse(), [...versions].sort()]) {
      const entries = order.map((version) => makeServer('a.a/x', version));
      const bench = await startBench(makeWorld({ main: { segments: [await makeSegment('s', entries)] } }));
      const base = '/registry/main/v0.1/servers';
      for (const path of [base, `${base}/a.a%2Fx/versions`]) {
        const { servers } = readServers(await bench.ask(path));
        expect(servers.map(({ server }) => server.version)).toEqual(versions);
        const marked = servers.filter(({ _meta }) =>
          JSON.stringify(_meta[OFFICIAL]).includes('"isLatest":true'),
        );
        expect(marked.map(({ server }) => server.version)).toEqual([latest]);
      }
      expect(readServer(await bench.ask(`${base}/a.a%2Fx/versions/latest`)).server.version).toBe(latest);
      const { servers } = readServers(await bench.ask(`${base}?version=latest`));
      expect(servers.map(({ server }) => server.version)).toEqual([latest]);
      for (const version of versions) {
        const one = readServer(await bench.ask(`${base}/a.a%2Fx/versions/${encodeURIComponent(version)}`));
        expect(one.server.version).toBe(version);
      }
    }
  });
});
