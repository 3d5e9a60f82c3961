import { describe, expect, it } from 'vitest';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { proves } from '../requirements/proves.ts';
import { startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { runBerth } from './run-berth.ts';
import { enterDirectory, fileSource, listServers, makeConfig, makeServerJson } from './working-directory.ts';

function enterWithSource() {
  const dir = enterDirectory();
  dir.write('registry.config.yaml', makeConfig([fileSource('a', 'a.json')]));
  return dir;
}

async function buildVersions(
  dir: ReturnType<typeof enterDirectory>,
  ...versions: string[]
): Promise<string[]> {
  const hashes: string[] = [];
  for (const version of versions) {
    dir.write('a.json', listServers(makeServerJson('io.x/one', version)));
    await runBerth(['build']);
    hashes.push((await new BundleStore('data/bundles').readSource('a'))?.current ?? '');
  }
  return hashes;
}

describe('berth bundles', () => {
  it(`${proves('C-12.2-01', 'C-12.2-03')} lists what is kept, newest first, the current one marked`, async () => {
    const dir = enterWithSource();
    const [first = '', second = ''] = await buildVersions(dir, '1.0.0', '2.0.0');
    const { code, lines } = await runBerth(['bundles', 'list', '--config', 'registry.config.yaml']);
    expect(code).toBe(0);
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(
        new RegExp(`^a +${second.slice(0, 12)} +current +20\\S+Z +1 +1 +0 +file a\\.json$`),
      ),
      expect.stringMatching(new RegExp(`^a +${first.slice(0, 12)} +20\\S+Z +1 +1 +0 +file a\\.json$`)),
    ]);
    const { stdout } = await runBerth(['bundles', 'list', '--format', 'json']);
    expect(JSON.parse(stdout).bundles).toMatchObject([
      { source: 'a', hash: second, current: true },
      { source: 'a', hash: first, current: false },
    ]);
  });

  it('says that there are none yet', async () => {
    enterWithSource();
    expect(await runBerth(['bundles', 'list'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There are no bundles yet'),
    });
  });

  it('goes back to the one before, and to the one a hash begins', async () => {
    const dir = enterWithSource();
    const [first = '', second = '', third = ''] = await buildVersions(dir, '1.0.0', '2.0.0', '3.0.0');
    const back = await runBerth(['bundles', 'rollback', 'a']);
    expect(back).toMatchObject({
      code: 0,
      stdout: `The current bundle of a is ${second.slice(0, 12)} instead of ${third.slice(0, 12)}.\n`,
    });
    expect(await runBerth(['bundles', 'rollback', 'a', first.slice(0, 8)])).toMatchObject({ code: 0 });
    expect((await new BundleStore('data/bundles').readSource('a'))?.current).toBe(first);
  });

  it.each([
    [['b'], 'Source b has no bundles.'],
    [['a', 'ffffffffffff'], 'no bundle that start with ffffffffffff. Known: '],
    [['a'], 'Source a has no bundle before the current one.'],
  ])('refuses rollback %j', async (words, message) => {
    await buildVersions(enterWithSource(), '1.0.0');
    const { code, stderr } = await runBerth(['bundles', 'rollback', ...words]);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });

  it(`${proves('C-4-05', 'C-4-06', 'C-12.2-02')} works while the service runs, which follows within 3 s`, async () => {
    const dir = enterDirectory();
    const catalog = (version: string) => listServers(makeServerJson('io.x/one', version));
    dir.write('a.json', catalog('1.0.0'));
    const service = await startService(makeConfig([fileSource('a', 'a.json')]), { dir: dir.path });
    try {
      const served = async () => {
        const reply = await service.ask('/registry/main/v0.1/servers/io.x%2Fone/versions/latest');
        return reply.json.server.version;
      };
      expect(await served()).toBe('1.0.0');
      dir.write('a.json', catalog('2.0.0'));
      await waitUntil(async () => (await served()) === '2.0.0', 'the new version');
      const { lines } = await runBerth(['bundles', 'list']);
      expect(lines).toHaveLength(3);
      expect((await runBerth(['bundles', 'rollback', 'a'])).code).toBe(0);
      await waitUntil(async () => (await served()) === '1.0.0', 'the version before', 3000);
    } finally {
      await service.stop();
    }
  });
});
