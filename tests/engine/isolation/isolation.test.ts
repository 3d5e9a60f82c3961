import { execFileSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, LABELS } from '../../../cli/engine/engine.ts';
import { GATEWAY_NAMES } from '../../../cli/isolation/gateway-names.ts';
import { profileSchema } from '../../../cli/isolation/profile.ts';
import { removeIsolation } from '../../../cli/isolation/remove-isolation.ts';
import { proves } from '../../requirements/proves.ts';
import { ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { HOST, type HostSide, openHostSide } from './host-side.ts';
import {
  type IsolatedServer,
  OWNER,
  type Probe,
  type ProbeResult,
  planServer,
  startIsolatedServer,
} from './isolated-server.ts';
import { withResolver } from './with-resolver.ts';

const NAMES = {
  'public.example.test': HOST.public,
  'deep.sub.example.test': HOST.public,
  'sub.example.test': HOST.public,
  'other.example.test': HOST.public,
  'inward.example.test': HOST.private,
  'loop.example.test': '127.0.0.1',
  'metadata.example.test': '169.254.169.254',
  'docker0.example.test': '172.17.0.1',
};

let plain: Engine;
let engine: Engine;
let host: HostSide;
let open: IsolatedServer;
let listed: IsolatedServer;
let none: IsolatedServer;
const opened: IsolatedServer[] = [];

const outbound = (given: object) => profileSchema.parse({ network: { outbound: given } });
const get = (url: string): Probe => ({ way: 'proxy', request: `GET ${url}` });
const connect = (place: string): Probe => ({ way: 'proxy', request: `CONNECT ${place}`, word: 'tunnel' });

/** Every address of this machine but the loopback ones of IPv6 scope. */
const hostAddresses = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address.replace(/%.*/, ''));

async function start(name: string, more: Parameters<typeof planServer>[1], bindHost?: string) {
  const server = await startIsolatedServer(engine, planServer(name, more), bindHost);
  opened.push(server);
  return server;
}

async function probeAll<K extends string>(server: IsolatedServer, probes: Readonly<Record<K, Probe>>) {
  const entries = Object.entries<Probe>(probes);
  const results = await server.probe(entries.map(([, probe]) => probe));
  return Object.fromEntries(entries.map(([name], index) => [name, results[index]])) as Record<K, ProbeResult>;
}

beforeAll(async () => {
  plain = await openTestEngine();
  await ensureTestImages(plain, ['gateway', 'node']);
  host = await openHostSide(NAMES);
  engine = withResolver(plain, host.resolver);
  open = await start('isolation-open', {
    profile: outbound({ insecure_allow_all: true }),
    network: { publish: [{ container: 9090 }] },
  });
  listed = await start('isolation-listed', {
    profile: outbound({
      allow_host: [
        HOST.public,
        HOST.private,
        'public.example.test',
        '.sub.example.test',
        'loop.example.test',
      ],
      allow_port: [8443, host.port],
    }),
  });
  none = await start('isolation-none', { profile: outbound({}), network: { allowDockerGateway: true } });
}, 600_000);

afterAll(async () => {
  for (const server of opened) await server.close();
  await host?.close();
}, 60_000);

describe('what a server that may reach any public host cannot reach', () => {
  it(`${proves('K-4-08', 'K-4-09', 'K-4-11', 'K-4-13', 'K-8.9-05')} raw TCP and UDP lead to no address of the host, no metadata service, no IPv6`, async () => {
    const seen = host.words.length;
    const places = [
      ...hostAddresses(),
      HOST.public,
      '169.254.169.254',
      '172.17.0.1',
      'fe80::1',
      '::1',
      '8.8.8.8',
    ];
    const outside = [...new Set(places)].filter((place) => !place.startsWith('127.') && place !== '::1');
    const probes = outside.flatMap((place): Probe[] => [
      { way: 'tcp', host: place, port: host.port, word: `tcp-${place}` },
      { way: 'udp', host: place, port: host.port, word: `udp-${place}` },
    ]);
    const results = await open.probe(probes);
    expect(outside.length).toBeGreaterThan(5);
    expect(results.filter(({ ok }) => ok)).toEqual([]);
    expect(host.words.slice(seen)).toEqual([]);
  });

  it(`${proves('K-4-04')} its network has no address on the host`, async () => {
    const networks = await plain.listNetworks([`${LABELS.workload}=isolation-open`]);
    const inside = networks.find(({ name }) => name.endsWith('-inside'));
    const bridge = `br-${inside?.id.slice(0, 12)}`;
    const shown = execFileSync('ip', ['-4', 'addr', 'show', 'dev', bridge], { encoding: 'utf8' });
    expect(shown).not.toContain('inet ');
  });

  it(`${proves('K-4-14')} no name is looked up for it, and no resolver hears of it`, async () => {
    const names = ['secret-1.example.test', 'secret-2.example.test', 'secret-3.example.test'];
    const results = await open.probe([
      { way: 'dns', name: names[0] ?? '' },
      { way: 'dns', name: names[1] ?? '', server: HOST.private },
      { way: 'dns', name: names[2] ?? '', server: HOST.deadResolver },
      { way: 'dns', name: 'public.example.test' },
    ]);
    expect(results.filter(({ ok }) => ok)).toEqual([]);
    expect(host.asked.filter((name) => name.startsWith('secret'))).toEqual([]);
  });

  it(`${proves('K-4-07', 'K-4-10', 'K-4-12', 'R-4.1-19')} the gateway refuses private addresses, however spelled, the host and its names`, async () => {
    const port = host.port;
    const seen = host.words.length;
    const own = hostAddresses().map((address) => (address.includes(':') ? `[${address}]` : address));
    const places = [
      ...own.map((address) => `${address}:${port}`),
      ...GATEWAY_NAMES.map((name) => `${name}:${port}`),
      `HOST.docker.internal.:${port}`,
      `localhost:${port}`,
      `169.254.169.254:80`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      `0177.0.0.1:${port}`,
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[::ffff:${HOST.private}]:${port}`,
      `[::]:${port}`,
      `[fd00::2]:${port}`,
      `100.64.0.1:${port}`,
      `berth-server:8080`,
      `berth-gateway:20000`,
      `inward.example.test:${port}`,
      `loop.example.test:${port}`,
      `metadata.example.test:80`,
      `docker0.example.test:${port}`,
    ];
    const requests = places.flatMap((place) => [
      `GET http://${place}/`,
      `GET http://user:pass@${place}/`,
      `CONNECT ${place}`,
    ]);
    const results = await open.probe(
      requests.map((request): Probe => ({ way: 'proxy', request, word: 'tunnel' })),
    );
    const through = results.map(({ status, got }, index) => ({ request: requests[index], status, got }));
    const wrong = through.filter(
      ({ status, got }) => status !== 403 || !/egress to \S+:\d+ not in the profile/.test(got ?? ''),
    );
    expect(wrong).toEqual([]);
    expect(host.words.slice(seen)).toEqual([]);
  });

  it(`${proves('K-8.9-07', 'K-4-06', 'K-8.9-03')} it reaches a public host by HTTP and through a tunnel, judged by where it goes and not by Host`, async () => {
    const place = `${HOST.public}:${host.publicPort}`;
    const results = await probeAll(open, {
      get: get(`http://${place}/path`),
      connect: connect(place),
      named: get(`http://public.example.test:${host.publicPort}/named`),
      address: { way: 'dns', name: 'berth-gateway' },
    });
    expect(results.get).toMatchObject({ status: 200, got: expect.stringContaining('public /path') });
    expect(results.connect.got).toContain('public /tunnel');
    expect(results.named.got).toContain('public /named');
    expect(results.address.ok).toBe(true);
  });

  it('the gateway itself offers it nothing but the proxy', async () => {
    const gateway = `berth-isolation-open-${OWNER.slice(0, 8)}-gateway`;
    const info = await plain.inspectContainer(gateway);
    const outside =
      Object.entries(info?.addresses ?? {}).find(([network]) => network.endsWith('-outside'))?.[1] ?? '';
    expect(outside).not.toBe('');
    const results = await open.probe([
      { way: 'tcp', host: 'berth-gateway', port: 20_000, word: 'ingress' },
      { way: 'tcp', host: 'berth-gateway', port: 20_001, word: 'ingress' },
      { way: 'tcp', host: outside, port: 20_000, word: 'ingress' },
      { way: 'tcp', host: outside, port: 3128, word: 'proxy' },
      get('http://berth-gateway:3128/squid-internal-mgr/menu'),
      get(`ftp://${HOST.public}/`),
    ]);
    expect(
      results.map(({ got }) => got ?? '').filter((got) => got.includes('8080 /') || got.includes('9090 /')),
    ).toEqual([]);
    expect(results.slice(2, 4).map(({ ok }) => ok)).toEqual([false, false]);
    expect(results.slice(4).map(({ status }) => status)).toEqual([403, 403]);
  });
});

describe('what a list of hosts and ports opens', () => {
  it(`${proves('K-4-02', 'K-8.9-04', 'K-8.9-06')} names, sub-domains and addresses, a private one only as the address it lists`, async () => {
    const { publicPort, port } = host;
    const results = await probeAll(listed, {
      address: get(`http://${HOST.public}:${publicPort}/a`),
      tunnel: connect(`${HOST.public}:${publicPort}`),
      name: get(`http://PUBLIC.example.test.:${publicPort}/b`),
      subdomain: get(`http://deep.sub.example.test:${publicPort}/c`),
      private: get(`http://${HOST.private}:${port}/d`),
      apex: get(`http://sub.example.test:${publicPort}/`),
      otherName: get(`http://other.example.test:${publicPort}/`),
      otherPort: get(`http://${HOST.public}:80/`),
      otherPortTunnel: connect(`${HOST.public}:22`),
      namedPrivate: get(`http://inward.example.test:${port}/`),
      namedLoopback: get(`http://loop.example.test:${port}/`),
      otherPrivate: get(`http://${HOST.ownPublic}:${port}/`),
      gatewayName: get(`http://host.docker.internal:${port}/`),
    });
    expect(results.address.got).toContain('public /a');
    expect(results.tunnel.got).toContain('public /tunnel');
    expect(results.name.got).toContain('public /b');
    expect(results.subdomain.got).toContain('public /c');
    expect(results.private).toMatchObject({ status: 200, got: expect.stringContaining('the host') });
    const { address, tunnel, name, subdomain, private: literal, ...refused } = results;
    for (const [what, result] of Object.entries(refused)) {
      expect
        .soft(result, what)
        .toMatchObject({ status: 403, got: expect.stringContaining('not in the profile') });
    }
  });

  it('names outside the list are not even looked up', async () => {
    await listed.probe([get('http://whisper.example.test:8443/'), connect('whisper.example.test:8443')]);
    expect(host.asked).toContain('public.example.test');
    expect(host.asked.filter((name) => name.startsWith('whisper'))).toEqual([]);
  });

  it(`${proves('K-4-16', 'K-8.9-09')} a refusal says why, is logged and counted`, async () => {
    const before = listed.isolation.refusals();
    const [result] = await listed.probe([connect('example.org:443')]);
    expect(result?.got).toContain('egress to example.org:443 not in the profile');
    await waitUntil(() => listed.isolation.refusals() === before + 1, 'one refusal more');
    expect(listed.log.at(-1)).toMatchObject({
      level: 'warn',
      fields: { host: 'example.org', port: 443 },
      message: 'egress to example.org:443 not in the profile',
    });
  });
});

describe('--allow-docker-gateway', () => {
  it(`${proves('K-4-15', 'K-8.9-10', 'R-4.1-20', 'R-4.1-21', 'R-4.1-23')} opens the gateway names and addresses on any port, with the profile none too, and nothing else`, async () => {
    const { port } = host;
    const open = [...GATEWAY_NAMES, '172.17.0.1'].map((name) => get(`http://${name}:${port}/hello`));
    const shut = [
      get(`http://${HOST.private}:${port}/`),
      get(`http://${HOST.ownPublic}:${port}/`),
      get(`http://${HOST.public}:${host.publicPort}/`),
      get(`http://docker0.example.test:${port}/`),
      get('http://169.254.169.254/'),
    ];
    const results = await none.probe([...open, connect(`host.docker.internal:${port}`), ...shut]);
    expect(results.slice(0, 5).map(({ got }) => got?.includes('the host'))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(results.slice(5).map(({ status }) => status)).toEqual(shut.map(() => 403));
    const raw = await none.probe([{ way: 'tcp', host: '172.17.0.1', port, word: 'raw' }]);
    expect(raw[0]?.ok).toBe(false);
  });
});

describe('what leads in', () => {
  it(`${proves('K-4-17', 'K-8.9-08', 'R-4.1-14')} the target and published ports are reached on loopback, through the gateway`, async () => {
    const info = await plain.inspectContainer(open.id);
    if (!info) throw new Error('the server is gone');
    const target = open.isolation.targetFor(info);
    expect(target.host).toBe('127.0.0.1');
    const answer = await waitUntil(
      async () => (await fetch(`http://127.0.0.1:${target.port}/in`)).text(),
      'an answer',
    );
    expect(answer).toBe('8080 /in');
    const gateway = await plain.inspectContainer(`berth-isolation-open-${OWNER.slice(0, 8)}-gateway`);
    const published = gateway?.publishedPorts[20_001];
    expect(await (await fetch(`http://127.0.0.1:${published}/side`)).text()).toBe('9090 /side');
    await expect(fetch(`http://${HOST.private}:${published}/side`)).rejects.toThrow();
    expect(info.publishedPorts).toEqual({});
  });

  it(`${proves('K-8.9-08')} a published port is bound to --host`, async () => {
    const server = await start(
      'isolation-bound',
      {
        network: { publish: [{ container: 9090 }] },
        profile: { network: { inbound: { allow_host: [HOST.private] } } },
      },
      HOST.private,
    );
    const gateway = await plain.inspectContainer(`berth-isolation-bound-${OWNER.slice(0, 8)}-gateway`);
    const port = gateway?.publishedPorts[20_001];
    const answer = await waitUntil(
      async () => (await fetch(`http://${HOST.private}:${port}/x`)).text(),
      'an answer',
    );
    expect(answer).toBe('9090 /x');
    // An address of its own: the engine may have given the same port number at 127.0.0.1 to another workload.
    await expect(fetch(`http://127.0.0.77:${port}/x`)).rejects.toThrow();
    const foreign = execFileSync('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      'Host: evil.example',
      `http://${HOST.private}:${port}/`,
    ]);
    expect(String(foreign)).toBe('403');
    await server.close();
    opened.splice(opened.indexOf(server), 1);
  });

  it('two workloads do not see each other', async () => {
    const other = await plain.inspectContainer(listed.id);
    const address = Object.values(other?.addresses ?? {})[0] ?? '';
    const results = await open.probe([
      { way: 'tcp', host: address, port: 8080, word: 'x' },
      { way: 'dns', name: 'berth-test-isolation-listed' },
      get(`http://${address}:8080/`),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false]);
    expect(results[2]?.status).toBe(403);
  });
});

describe('the gateway over time', () => {
  it(`${proves('K-8.9-01', 'K-8.9-02', 'K-8.9-11', 'K-4-05')} carries the workload's name, drops everything it does not need, and is what the proxy variables name`, async () => {
    const { output } = await plain.execInContainer(open.id, ['env']);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) {
      expect(output).toContain(`${name}=http://berth-gateway:3128`);
    }
    expect(output).toContain('NO_PROXY=localhost,127.0.0.1,::1');
    expect(output).toContain('no_proxy=localhost,127.0.0.1,::1');
    expect(output).toContain('NODE_USE_ENV_PROXY=1');
    const labels = [`${LABELS.workload}=isolation-open`, `${LABELS.owner}=${OWNER}`];
    const [gateways, networks] = [
      await plain.listContainers([...labels, `${LABELS.role}=gateway`]),
      await plain.listNetworks(labels),
    ];
    expect(gateways).toHaveLength(1);
    expect(networks).toHaveLength(2);
    const image = await plain.findImage(TEST_IMAGES.gateway);
    expect(gateways[0]?.image).toBe(image?.id);
    const status = await plain.execInContainer(gateways[0]?.id ?? '', [
      'grep',
      '-E',
      '^(Uid|CapEff|NoNewPrivs)',
      '/proc/1/status',
    ]);
    expect(status.output).toMatch(/Uid:\s+65534/);
    expect(status.output).toMatch(/CapEff:\s+0000000000000000/);
    expect(status.output).toMatch(/NoNewPrivs:\s+1/);
  });

  it('is repaired when it is gone, and the server is reached again', async () => {
    const gateway = `berth-isolation-listed-${OWNER.slice(0, 8)}-gateway`;
    await listed.isolation.repair();
    const before = await plain.inspectContainer(gateway);
    await plain.removeContainer(before?.id ?? '');
    await Promise.all([listed.isolation.repair(), listed.isolation.repair()]);
    const after = await plain.inspectContainer(gateway);
    expect(after?.running).toBe(true);
    expect(after?.id).not.toBe(before?.id);
    const [result] = await listed.probe([get(`http://${HOST.public}:${host.publicPort}/again`)]);
    expect(result?.got).toContain('public /again');
    const info = await plain.inspectContainer(listed.id);
    if (!info) throw new Error('the server is gone');
    const { port } = listed.isolation.targetFor(info);
    expect(await (await fetch(`http://127.0.0.1:${port}/in`)).text()).toBe('8080 /in');
  });

  it('opens quickly', () => {
    expect(Math.min(open.openedIn, listed.openedIn, none.openedIn)).toBeLessThan(2_500);
  });

  it('closes without leaving anything, and what a crash left is removed by label', async () => {
    const labels = [`${LABELS.workload}=isolation-crash`];
    const crashed = await start('isolation-crash', {});
    opened.splice(opened.indexOf(crashed), 1);
    await plain.removeContainer(crashed.id);
    await removeIsolation(plain, 'isolation-crash', 'another owner');
    expect(await plain.listNetworks(labels)).toHaveLength(2);
    await removeIsolation(plain, 'isolation-crash', OWNER);
    expect(await plain.listNetworks(labels)).toEqual([]);
    expect(await plain.listContainers(labels)).toEqual([]);
    const again = await start('isolation-crash', {});
    opened.splice(opened.indexOf(again), 1);
    await again.close();
    expect(await plain.listNetworks(labels)).toEqual([]);
    expect(await plain.listContainers(labels)).toEqual([]);
  });
});
