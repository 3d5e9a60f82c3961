import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { findCommand, ROOT } from '../support/built-command.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { ask } from '../support/http-client.ts';
import { run } from '../support/run-command.ts';
import { findAddresses, startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
const npm = (args: readonly string[], cwd: string) => run('npm', args, { cwd, timeout: 300_000 });

describe('the package', () => {
  it(`${proves('C-1-30')} is packed, installed globally from its tarball, and serves`, async () => {
    findCommand();
    const dir = makeDirectory();
    const packed = await npm(['pack', '--json', '--pack-destination', dir, ...QUIET], ROOT);
    expect(packed.code, packed.stderr).toBe(0);
    const [{ filename, files, version }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
    const paths: string[] = files.map(({ path }: { path: string }) => path);
    for (const needed of [
      'dist/berth.js',
      'registry.config.yaml',
      'sources/samples/servers.json',
      'LICENSE',
    ]) {
      expect(paths).toContain(needed);
    }
    expect(paths.filter((path) => /^(tests|server|cli|node_modules)\/|\.test\.|\.env/.test(path))).toEqual(
      [],
    );
    const prefix = join(dir, 'global');
    const tarball = join(dir, filename);
    const installed = await npm(
      ['install', '--global', '--prefix', prefix, '--prefer-offline', ...QUIET, tarball],
      dir,
    );
    expect(installed.code, installed.stderr).toBe(0);
    const command = join(prefix, 'bin', 'berth');
    const shown = await run(command, ['--version'], { cwd: dir });
    expect(shown.stdout.trim(), shown.stderr).toBe(version);
    const home = join(prefix, 'lib', 'node_modules', 'berth');
    const service = await startService(
      {
        sources: [
          {
            name: 'sample',
            file: { path: join(home, 'sources/samples/servers.json') },
            syncPolicy: { interval: '1h' },
          },
        ],
        registries: [{ name: 'default', sources: ['sample'] }],
        auth: { mode: 'anonymous' },
      },
      { command: realpathSync(command) },
    );
    onTestFinished(() => service.stop());
    expect((await service.ask('/registry/default/v0.1/servers')).json.metadata.count).toBeGreaterThan(5);
    expect((await service.ask('/docs/api')).status).toBe(200);
    expect((await service.probe('/version')).json.version).toBe(version);
    expect(existsSync(join(service.dir, '.berth'))).toBe(true);
  }, 400_000);

  it(`${proves('C-1-29')} gives npx the command in a fresh checkout after npm ci alone`, async () => {
    const checkout = makeDirectory();
    const left = /^(?:node_modules|dist|tests|\.git|\.berth|\.astro)$/;
    const isTaken = (path: string) => !left.test(basename(path));
    for (const name of readdirSync(ROOT).filter(isTaken)) {
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true, filter: isTaken });
    }
    const installed = await npm(['ci', '--prefer-offline', ...QUIET], checkout);
    expect(installed.code, installed.stderr).toBe(0);
    const shown = await run('npx', ['--no-install', 'berth', '--version'], { cwd: checkout });
    expect(shown.stdout.trim(), shown.stderr).toMatch(/^\d+\.\d+\.\d+/);
    const checked = await run('npx', ['--no-install', 'berth', 'validate'], { cwd: checkout });
    expect(checked.code, checked.stdout).toBe(0);
    expect(existsSync(join(checkout, 'dist', 'site', 'server', 'entry.mjs'))).toBe(true);
  }, 400_000);

  it(`${proves('C-1-31', 'C-1-32')} npm start serves registry, documentation and admin API of the shipped sample`, async () => {
    findCommand();
    const args = ['start', '--silent', '--', '--address', '127.0.0.1:0', '--internal-address', '127.0.0.1:0'];
    const env = childEnvironment({ BERTH_DATADIR: join(makeDirectory(), 'data') });
    const child = spawn('npm', args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((done) => child.once('close', done));
    onTestFinished(async () => {
      if (child.pid) process.kill(-child.pid, 'SIGTERM');
      await ended;
    });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    const { address, internalAddress } = await waitUntil(
      () => findAddresses(log),
      'npm start to serve',
      25_000,
    );
    await waitUntil(
      async () => (await ask(`${internalAddress}/readiness`)).status === 200,
      'readiness',
      20_000,
    );
    const { json } = await ask(`${address}/registry/default/v0.1/servers?limit=100`);
    expect(json.metadata.count).toBeGreaterThan(5);
    const skills = await ask(`${address}/registry/default/v0.1/x/dev.toolhive/skills`);
    expect(skills.json.metadata.count).toBeGreaterThan(1);
    expect((await ask(`${address}/`)).text).toContain('<html');
    expect((await ask(`${address}/v1/sources`)).json.sources.length).toBeGreaterThan(1);
  }, 60_000);
});
