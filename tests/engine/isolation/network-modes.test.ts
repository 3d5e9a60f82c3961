import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ContainerSpec, type Engine, LABELS } from '../../../cli/engine/engine.ts';
import { resolveMounts } from '../../../cli/isolation/resolve-mounts.ts';
import type { PlanInput } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';
import { ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { findFreePort } from '../../support/start-mcp-fixture.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type IsolatedServer, planServer, startIsolatedServer } from './isolated-server.ts';

let engine: Engine;
let server: IsolatedServer | undefined;

async function start(name: string, more: Partial<PlanInput>, by: Engine = engine): Promise<IsolatedServer> {
  server = await startIsolatedServer(by, planServer(name, more));
  return server;
}

async function askTarget(running: IsolatedServer): Promise<string> {
  return waitUntil(async () => {
    const info = await engine.inspectContainer(running.id);
    if (!info) throw new Error('the server is gone');
    const { host, port } = running.isolation.targetFor(info);
    return ask(`http://${host}:${port}/in`);
  }, 'an answer of the server');
}

/** A connection that the engine has not led through yet may hang; the next one gets through. */
async function ask(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text();
}

beforeAll(async () => {
  engine = await openTestEngine();
  await ensureTestImages(engine, ['gateway', 'node']);
}, 600_000);

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('openIsolation without isolation', () => {
  it(`${proves('R-1-13', 'R-4.1-18')} uses the bridge of the engine, reached on a loopback port`, async () => {
    const running = await start('modes-bridge', {
      network: { isolate: false, publish: [{ container: 9090 }] },
    });
    expect(running.isolation.isolated).toBe(false);
    expect(await askTarget(running)).toBe('8080 /in');
    const info = await engine.inspectContainer(running.id);
    expect(Object.keys(info?.addresses ?? {})).toEqual(['bridge']);
    const side = `http://127.0.0.1:${info?.publishedPorts[9090]}/side`;
    expect(await waitUntil(() => ask(side), 'an answer at the published port')).toBe('9090 /side');
    expect((await engine.execInContainer(running.id, ['env'])).output).not.toMatch(/proxy=/i);
    expect(await engine.listNetworks([`${LABELS.workload}=modes-bridge`])).toEqual([]);
  });

  it(`${proves('R-1-14', 'K-4-18')} shares the network of the host`, async () => {
    // The ports of this machine are not the test's alone.
    const port = await findFreePort();
    const running = await start('modes-host', {
      network: { mode: 'host', isolate: false },
      target: { port },
      env: { ONLY_PORT: String(port) },
    });
    expect(await askTarget(running)).toBe(`${port} /in`);
  });

  it(`${proves('R-1-12', 'R-4.1-16')} joins the network of the user, even one that publishes nothing`, async () => {
    for (const internal of [false, true]) {
      const options = internal ? ['--internal'] : [];
      execFileSync('docker', ['network', 'create', ...options, 'berth-test-mine'], { stdio: 'ignore' });
      try {
        const running = await start('modes-mine', { network: { mode: 'berth-test-mine', isolate: false } });
        expect(await askTarget(running)).toBe('8080 /in');
        const info = await engine.inspectContainer(running.id);
        expect(Object.keys(info?.addresses ?? {})).toEqual(['berth-test-mine']);
        await running.close();
        server = undefined;
      } finally {
        execFileSync('docker', ['network', 'rm', 'berth-test-mine'], { stdio: 'ignore' });
      }
    }
  });

  it(`${proves('R-1-12')} shares the network of another container`, async () => {
    const neighbour = await startIsolatedServer(
      engine,
      planServer('modes-neighbour', { transport: 'stdio', network: { isolate: false } }),
    );
    try {
      await engine.execInContainer(neighbour.id, ['true']);
      const mode = `container:${neighbour.name}`;
      const running = await start('modes-shared', { network: { mode, isolate: false } });
      expect(await askTarget(running)).toBe('8080 /in');
    } finally {
      await server?.close();
      server = undefined;
      await neighbour.close();
    }
  });

  it(`${proves('R-1-14')} has no network at all with none, which only stdio can live with`, async () => {
    const network = { mode: 'none', isolate: false };
    await expect(start('modes-none', { network })).rejects.toMatchObject({ code: 'isolation_no_network' });
    const running = await start('modes-none', { network, transport: 'stdio' });
    const [result] = await running.probe([{ way: 'tcp', host: '172.17.0.1', port: 80, word: 'x' }]);
    expect(result?.ok).toBe(false);
  });

  it('names a network or container that is not there', async () => {
    for (const mode of ['berth-test-nowhere', 'container:berth-test-nowhere']) {
      const network = { mode, isolate: false };
      await expect(start('modes-nowhere', { network })).rejects.toMatchObject({
        code: 'isolation_unknown_network',
        message: expect.stringContaining('berth-test-nowhere'),
      });
    }
  });
});

describe('a gateway of another making', () => {
  /** The engine, with the start script of gateways changed. */
  const withScript = (change: (script: string) => string): Engine => ({
    ...engine,
    createContainer: (spec: ContainerSpec) => {
      const files = spec.files?.map((file) =>
        file.path.endsWith('start.sh') ? { ...file, content: change(file.content) } : file,
      );
      return engine.createContainer({ ...spec, ...(files && { files }) });
    },
  });

  it(`${proves('K-8.9-01')} does with socat where there is no HAProxy, and lets the server not come back in`, async () => {
    const socat = withScript((script) => script.replace('command -v haproxy', 'command -v no-haproxy'));
    const running = await start('modes-socat', { network: { publish: [{ container: 9090 }] } }, socat);
    expect(await askTarget(running)).toBe('8080 /in');
    const results = await running.probe([
      { way: 'tcp', host: 'berth-gateway', port: 20_000, word: 'x' },
      { way: 'tcp', host: 'berth-gateway', port: 20_001, word: 'x' },
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false]);
  });

  it(`${proves('K-8.9-01')} says what is lacking and how to name another image, and leaves nothing`, async () => {
    const bare = withScript((script) => script.replaceAll('command -v ', 'command -v no-'));
    const failed = start('modes-bare', {}, bare);
    await expect(failed).rejects.toMatchObject({
      code: 'gateway_failed',
      message: expect.stringContaining('lacks squid'),
      fix: expect.stringContaining('BERTH_GATEWAY_IMAGE'),
    });
    expect(await engine.listContainers([`${LABELS.workload}=modes-bare`])).toEqual([]);
    expect(await engine.listNetworks([`${LABELS.workload}=modes-bare`])).toEqual([]);
  });
});

describe('mounts in a container', () => {
  it(`${proves('K-4-24', 'K-4-21', 'R-4.1-32', 'R-4.1-33')} shows what is mounted, hides what is ignored, and lets neither be undone`, async () => {
    const base = makeDirectory();
    const project = join(base, 'project');
    mkdirSync(join(project, 'secrets'), { recursive: true });
    mkdirSync(join(base, 'fixed'));
    writeFileSync(join(project, '.berthignore'), '.env\nsecrets/\n');
    writeFileSync(join(project, '.env'), 'TOKEN=1');
    writeFileSync(join(project, 'secrets', 'key'), 'TOKEN=2');
    writeFileSync(join(project, 'shown.txt'), 'shown');
    const plan = planServer('modes-mounts', {
      volumes: [
        { source: project, target: '/srv' },
        { source: join(base, 'fixed'), target: '/fixed', readOnly: true },
      ],
    });
    const { mounts, overlays } = await resolveMounts(plan, {
      cwd: base,
      configDirectory: join(base, 'config'),
      runtimeDirectory: join(base, 'runtime'),
    });
    expect(overlays.map(({ target }) => target).sort()).toEqual(['/srv/.env', '/srv/secrets']);
    const id = await engine.createContainer({
      name: 'berth-test-modes-mounts',
      image: TEST_IMAGES.node,
      entrypoint: ['sleep', '60'],
      labels: {},
      env: {},
      mounts,
      network: 'none',
      interactive: false,
      pids: 64,
      readOnlyRoot: false,
    });
    try {
      await engine.startContainer(id);
      const run = async (script: string) => (await engine.execInContainer(id, ['sh', '-c', script])).output;
      expect(await run('cat /srv/shown.txt; cat /srv/.env; ls -A /srv/secrets')).toBe('shown');
      const attempts =
        'echo x > /srv/.env; touch /srv/secrets/x; rm -f /srv/.env; mv /srv/secrets /srv/s; umount /srv/.env; touch /fixed/x; cat /srv/.env; ls -A /srv/secrets /fixed';
      expect(await run(`(${attempts}) 2>/dev/null`)).not.toContain('TOKEN');
      expect(
        execFileSync('sh', ['-c', `cat .env secrets/key; ls -A ${join(base, 'fixed')}`], {
          cwd: project,
          encoding: 'utf8',
        }),
      ).toBe('TOKEN=1TOKEN=2');
      expect(await run('echo new > /srv/new.txt; cat /srv/new.txt')).toContain('new');
    } finally {
      await engine.removeContainer(id);
    }
  });
});
