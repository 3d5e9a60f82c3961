import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';
import Dockerode from 'dockerode';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ContainerEvent, Engine } from '../../../cli/engine/engine.ts';
import { findEngine } from '../../../cli/engine/find-engine.ts';
import { proves } from '../../requirements/proves.ts';
import { makeContainer, makeEngineName } from '../../support/engine-containers.ts';
import { ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';

let engine: Engine;
/** Another way to look at what the engine made. */
let docker: Dockerode;

beforeAll(async () => {
  engine = await openTestEngine();
  await ensureTestImages(engine, ['base', 'mcp']);
  docker = new Dockerode({ socketPath: engine.address.replace('unix://', '') });
}, 600_000);

const sleeping = { image: TEST_IMAGES.base, command: ['sleep', '60'] };

describe('a container', () => {
  it(`${proves('K-3-16', 'K-3-17')} has no capability, gains no privilege, has an init process and a limit of processes`, async () => {
    const id = await makeContainer(engine, { ...sleeping, pids: 77 });
    await engine.startContainer(id);
    const { HostConfig } = await docker.getContainer(id).inspect();
    expect(HostConfig.CapDrop).toEqual(['ALL']);
    expect(HostConfig.CapAdd ?? []).toEqual([]);
    expect(HostConfig.SecurityOpt).toEqual(['no-new-privileges']);
    expect(HostConfig.Init).toBe(true);
    expect(HostConfig.PidsLimit).toBe(77);
    expect(HostConfig.Privileged).toBe(false);
    expect(HostConfig.RestartPolicy?.Name).toBe('no');
    const { output } = await engine.execInContainer(id, ['cat', '/proc/self/status', '/proc/1/comm']);
    expect(output).toMatch(/CapEff:\s+0000000000000000/);
    expect(output).toMatch(/CapBnd:\s+0000000000000000/);
    expect(output).toMatch(/NoNewPrivs:\s+1/);
    expect(output.trim()).toMatch(/(docker-init|tini|catatonit)$/);
  });

  it(`${proves('K-3-18')} has a read-only root when told to, with a /tmp to write to and files of ours in place`, async () => {
    const files = [{ path: '/etc/berth/deep/a.conf', content: 'a = 1\n', mode: 0o600 }];
    const id = await makeContainer(engine, { ...sleeping, readOnlyRoot: true, files });
    await engine.startContainer(id);
    const script = 'touch /x 2>&1; touch /tmp/y && echo made; cat /etc/berth/deep/a.conf';
    const { output } = await engine.execInContainer(id, ['sh', '-c', script]);
    expect(output).toContain('Read-only file system');
    expect(output).toContain('made\na = 1');
    const open = await makeContainer(engine, { ...sleeping, files });
    await engine.startContainer(open);
    const seen = await engine.execInContainer(open, [
      'sh',
      '-c',
      'touch /x && stat -c %a /etc /etc/berth/deep /etc/berth/deep/a.conf /tmp',
    ]);
    expect(seen.output.trim().split('\n')).toEqual(['755', '755', '600', '1777']);
  });

  it(`${proves('K-3-19')} is limited in memory, swap included, and CPU`, async () => {
    const id = await makeContainer(engine, { ...sleeping, memoryBytes: 64 * 1024 ** 2, cpus: 0.25 });
    const { HostConfig } = await docker.getContainer(id).inspect();
    expect(HostConfig.Memory).toBe(64 * 1024 ** 2);
    expect(HostConfig.MemorySwap).toBe(64 * 1024 ** 2);
    expect(HostConfig.NanoCpus).toBe(250_000_000);
  });

  it(`${proves('K-3-20')} has the mounts it was given and no other`, async () => {
    const source = makeDirectory();
    const mounts = [{ source, target: '/data', readOnly: true }];
    const id = await makeContainer(engine, { ...sleeping, mounts });
    const bare = await makeContainer(engine, sleeping);
    const { Mounts } = await docker.getContainer(id).inspect();
    expect(Mounts).toHaveLength(1);
    expect(Mounts[0]).toMatchObject({ Source: source, Destination: '/data', RW: false });
    expect((await docker.getContainer(bare).inspect()).Mounts).toEqual([]);
    const missing = {
      ...sleeping,
      mounts: [{ ...mounts[0], source: `${source}/no`, target: '/x', readOnly: true }],
    };
    await expect(makeContainer(engine, missing)).rejects.toMatchObject({ code: 'engine_failed' });
  });

  it('speaks over its streams, and ends when its input does', async () => {
    const command = [
      'sh',
      '-c',
      'echo ready >&2; while read -r line; do echo "got $line"; done; echo end; exit 5',
    ];
    const id = await makeContainer(engine, { image: TEST_IMAGES.base, command, interactive: true });
    const streams = await engine.attachContainer(id);
    const [out, error] = [text(streams.stdout), text(streams.stderr)];
    await engine.startContainer(id);
    const long = 'x'.repeat(100_000);
    streams.stdin.write(`one \u200d two\n${long}\n`);
    streams.stdin.end();
    await streams.closed;
    expect(await out).toBe(`got one \u200d two\ngot ${long}\nend\n`);
    expect(await error).toBe('ready\n');
    expect(await engine.waitForContainer(id)).toBe(5);
    expect(await engine.inspectContainer(id)).toMatchObject({ running: false, exitCode: 5 });
    expect(await engine.readLogs(id, 1)).toBe('end\n');
    expect(await text(await engine.followLogs(id, { fromStart: true }))).toContain('ready\n');
  });

  it('is known by its labels, refuses a taken name, and can be removed twice', async () => {
    const name = makeEngineName();
    const id = await makeContainer(engine, { ...sleeping, name, labels: { 'berth.test': name } });
    await expect(makeContainer(engine, { ...sleeping, name })).rejects.toMatchObject({
      code: 'engine_name_taken',
      message: expect.stringContaining(name),
    });
    await engine.startContainer(id);
    const listed = await engine.listContainers([`berth.test=${name}`]);
    expect(listed.map((one) => [one.id, one.name, one.running, one.exitCode])).toEqual([
      [id, name, true, undefined],
    ]);
    expect(Math.abs((listed[0]?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    await engine.stopContainer(id, 0);
    await engine.stopContainer(id, 0);
    await engine.removeContainer(id);
    await engine.removeContainer(id);
    expect(await engine.inspectContainer(id)).toBeUndefined();
  });

  it('tells an image that is missing', async () => {
    await expect(makeContainer(engine, { image: 'berth-test/none:1' })).rejects.toMatchObject({
      code: 'engine_image_not_found',
    });
    expect(await engine.findImage('berth-test/none:1')).toBeUndefined();
    await expect(engine.findImage('../containers/json')).rejects.toMatchObject({
      code: 'engine_reference_invalid',
    });
  });

  it(`${proves('K-3-11')} is reported within two seconds of its end`, async () => {
    const label = makeEngineName();
    const events: ContainerEvent[] = [];
    const watch = engine.watchContainers(`berth.test=${label}`, {
      onEvent: (event) => events.push(event),
      onLost: () => {},
      onBack: () => {},
    });
    onTestFinished(() => watch.stop());
    await watch.ready;
    const command = ['sh', '-c', 'sleep 0.3; exit 9'];
    const id = await makeContainer(engine, {
      image: TEST_IMAGES.base,
      command,
      labels: { 'berth.test': label },
    });
    await engine.startContainer(id);
    await engine.waitForContainer(id);
    await waitUntil(() => events.some(({ action }) => action === 'die'), 'the end of the container', 2_000);
    expect(events.map(({ action, exitCode, containerId }) => [action, exitCode, containerId])).toEqual([
      ['start', undefined, id],
      ['die', 9, id],
    ]);
    expect(events[1]?.labels['berth.test']).toBe(label);
  });

  it('joins networks under its aliases, publishes ports, and the networks go when told', async () => {
    const name = makeEngineName();
    const subnet = '10.213.87.0/29';
    const labels = { 'berth.test': name };
    const network = await engine.createNetwork({ name, internal: true, labels, subnet, options: {} });
    onTestFinished(() => engine.removeNetwork(name));
    expect(network).toMatchObject({ name, labels, subnets: [subnet] });
    expect(await engine.listNetworks([`berth.test=${name}`])).toHaveLength(1);
    const id = await makeContainer(engine, {
      ...sleeping,
      network: 'bridge',
      networks: [{ name, aliases: ['server'], address: '10.213.87.5' }],
      publish: [{ hostAddress: '127.0.0.1', hostPort: 0, containerPort: 8080 }],
    });
    await engine.startContainer(id);
    const info = await engine.inspectContainer(id);
    expect(info?.addresses[name]).toBe('10.213.87.5');
    expect(Object.keys(info?.addresses ?? {}).sort()).toEqual([name, 'bridge'].sort());
    expect(info?.publishedPorts[8080]).toBeGreaterThan(0);
    await engine.removeContainer(id);
    await engine.removeNetwork(name);
    await engine.removeNetwork(name);
    expect(await engine.inspectNetwork(name)).toBeUndefined();
  });
});

it(`${proves('K-3-21')} finds the engine that runs here`, async () => {
  const found = await findEngine({ DOCKER_HOST: engine.address }, { home: homedir() });
  expect((await found.describe()).version).toMatch(/^\d+\./);
});
