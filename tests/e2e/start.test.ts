import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { proves } from '../requirements/proves.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import { type Ran, runBerth } from '../support/run-command.ts';
import { replaceFile, startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const ANY = ['--address', '127.0.0.1:0', '--internal-address', '127.0.0.1:0'];
const NOBODY = 65_534;
const config = (more: object = {}) => ({
  sources: [inlineSource('tools', ['com.acme/one'])],
  registries: [{ name: 'tools', sources: ['tools'] }],
  auth: { mode: 'anonymous' },
  ...more,
});

/** Serves a configuration that cannot be served. */
function serveInVain(
  text: object | undefined,
  args: readonly string[] = ANY,
  dir = makeDirectory(),
): Promise<Ran> {
  if (text) writeFileSync(join(dir, 'registry.config.yaml'), stringify(text));
  return runBerth(['serve', ...args], { cwd: dir });
}

function expectRefusal({ code, stderr }: Ran, ...words: string[]): void {
  expect(code).toBe(1);
  for (const word of words) expect(stderr).toContain(word);
  expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
}

/** Makes sure that a port of loopback is taken, by this test or by whoever has it. */
function occupy(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server: Server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(port) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => {
      onTestFinished(() => void server.close());
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

describe('a start that is refused', () => {
  it(`${proves('C-12.17-03')} names the address that is taken`, async () => {
    const port = await occupy(0);
    const taken = `127.0.0.1:${port}`;
    expectRefusal(
      await serveInVain(config(), ['--address', taken, '--internal-address', '127.0.0.1:0']),
      taken,
      '--address',
    );
    expectRefusal(
      await serveInVain(config(), ['--address', '127.0.0.1:0', '--internal-address', `:${port}`]),
      `:${port}`,
      '--internal-address',
    );
  });

  it(`${proves('C-1-03')} without --address is about 127.0.0.1:8080`, async () => {
    await occupy(8080);
    expectRefusal(await serveInVain(config(), ['--internal-address', '127.0.0.1:0']), '127.0.0.1:8080');
  });

  it(`${proves('C-1-04', 'S-4-31')} without --internal-address is about :8081`, async () => {
    await occupy(8081);
    expectRefusal(await serveInVain(config(), ['--address', '127.0.0.1:0']), ':8081', '--internal-address');
  });

  it.each([
    '8080',
    'localhost',
    '127.0.0.1:http',
    '127.0.0.1:70000',
  ])(`${proves('C-1-06')} says that this is no address: %s`, async (text) => {
    const { code, stderr } = await serveInVain(config(), ['--address', text]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(text);
  });

  it(`${proves('C-1-02', 'C-12.17-03')} names the configuration file that is not there`, async () => {
    expectRefusal(await serveInVain(undefined), 'registry.config.yaml');
    expectRefusal(await serveInVain(undefined, [...ANY, '--config', 'other.yaml']), 'other.yaml');
  });

  it(`${proves('C-12.17-03')} names the data directory that is a file, or that belongs to another process`, async () => {
    const dir = makeDirectory();
    writeFileSync(join(dir, 'taken'), '');
    expectRefusal(await serveInVain(config({ dataDir: 'taken' }), ANY, dir), 'taken', 'dataDir');
    const service = await startService(config());
    onTestFinished(() => service.stop());
    const second = await runBerth(['serve', ...ANY], { cwd: service.dir });
    expectRefusal(second, '.berth');
  });

  it(`${proves('C-12.17-03')} names the data directory that cannot be written`, async () => {
    const dir = makeDirectory();
    chmodSync(dir, 0o755);
    mkdirSync(join(dir, 'locked'), { mode: 0o500 });
    writeFileSync(join(dir, 'registry.config.yaml'), stringify(config({ dataDir: 'locked/data' })));
    // Root may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: NOBODY } : {};
    expectRefusal(await runBerth(['serve', ...ANY], { cwd: dir, ...user }), 'locked');
  });

  it(`${proves('C-12.17-03')} names the data directory below something that is no directory`, async () => {
    const dir = makeDirectory();
    expectRefusal(await serveInVain(config({ dataDir: '/dev/null/berth' }), ANY, dir), '/dev/null/berth');
  });
});

describe('a start', () => {
  it(`${proves('C-1-06', 'C-1-05')} takes :port for all interfaces`, async () => {
    const service = await startService(config({ auth: undefined }), {
      args: ['--address', ':0', '--auth-mode', 'anonymous'],
    });
    onTestFinished(() => service.stop());
    expect(new URL(service.url).hostname).toBe('localhost');
    expect((await service.ask('/registry/tools/v0.1/servers')).status).toBe(200);
  });

  it('creates the data directory for its owner only', async () => {
    const service = await startService(config());
    onTestFinished(() => service.stop());
    expect(statSync(join(service.dir, '.berth')).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
    [
      'tampered with',
      (bytes: Buffer) =>
        Buffer.from(bytes.toString('latin1').replace('com.acme/new', 'com.acme/bad'), 'latin1'),
    ],
  ])(`${proves('C-4-09', 'C-4-10')} refuses the bundle that was %s and serves the one before it`, async (_, damage) => {
    const dir = makeDirectory();
    const settings = {
      sources: [{ name: 'team', file: { path: 'team.json' }, syncPolicy: { interval: '1h' } }],
      registries: [{ name: 'tools', sources: ['team'] }],
      auth: { mode: 'anonymous' },
    };
    const file = join(dir, 'team.json');
    const keep = { dir, keepDirectory: true };
    writeFileSync(file, makeCatalog(['com.acme/old']));
    const first = await startService(settings, keep);
    const names = async (service = first) => (await service.ask('/registry/tools/v0.1/servers')).text;
    await waitUntil(async () => (await names()).includes('com.acme/old'), 'the old bundle');
    replaceFile(file, makeCatalog(['com.acme/new']));
    await waitUntil(async () => (await names()).includes('com.acme/new'), 'the new bundle');
    const { hash } = (await first.ask('/v1/sources/team')).json.status.bundle;
    await first.stop();
    // Nothing is left to build it anew from.
    writeFileSync(file, '{');
    const folder = join(dir, '.berth', 'bundles');
    const name = readdirSync(folder).find((one) => one.includes(hash.replace('sha256:', ''))) ?? 'missing';
    writeFileSync(join(folder, name), damage(readFileSync(join(folder, name))));
    const second = await startService(settings, keep);
    onTestFinished(() => second.stop());
    expect(await names(second)).toContain('com.acme/old');
    expect(await names(second)).not.toMatch(/com\.acme\/(new|bad)/);
    expect(second.log()).toMatch(/bundle/);
  });
});
