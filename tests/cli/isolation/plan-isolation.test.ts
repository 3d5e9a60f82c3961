import { describe, expect, it } from 'vitest';
import { LABELS } from '../../../cli/engine/engine.ts';
import { isIsolated, planGateway, planIsolation } from '../../../cli/isolation/plan-isolation.ts';
import { type PlanInput, planSchema } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';

const makePlan = (more: Partial<PlanInput> = {}) =>
  planSchema.parse({
    schemaVersion: '1',
    name: 'fetch',
    server: { kind: 'image', image: 'x' },
    transport: 'streamable-http',
    target: { port: 8080 },
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
    ...more,
  });

const FACTS = {
  insideSubnets: ['172.19.0.0/16'],
  hostAddresses: ['127.0.0.1', '198.51.100.4', '172.17.0.1'],
  gatewayAddresses: ['172.17.0.1'],
};

function readFile(plan: ReturnType<typeof makePlan>, name: string): string {
  const spec = planGateway(plan, planIsolation(plan, 'abcdefabcdef', '127.0.0.1'), 'image', FACTS);
  return spec.files?.find(({ path }) => path.endsWith(`/${name}`))?.content ?? '';
}

describe('planIsolation', () => {
  it(`${proves('K-4-04', 'K-8.9-11')} lays out an internal network without an address on the host, all labelled`, () => {
    const layout = planIsolation(makePlan(), 'abcdefabcdef', '127.0.0.1');
    expect(layout.inside).toMatchObject({
      internal: true,
      options: {
        'com.docker.network.bridge.inhibit_ipv4': 'true',
        'com.docker.network.enable_ipv6': 'false',
      },
      labels: { [LABELS.workload]: 'fetch', [LABELS.owner]: 'abcdefabcdef', [LABELS.managed]: 'true' },
    });
    expect(layout.outside).toMatchObject({ internal: false, labels: { [LABELS.workload]: 'fetch' } });
    expect(layout.server.network).toBeUndefined();
    expect(layout.server.networks).toEqual([{ name: layout.inside.name, aliases: ['berth-server'] }]);
    expect(layout.server.publish).toBeUndefined();
  });

  it(`${proves('K-8.9-08')} binds the target to loopback and published ports to the given address`, () => {
    const plan = makePlan({ network: { publish: [{ host: 9000, container: 90 }, { container: 91 }] } });
    const { publish } = planGateway(plan, planIsolation(plan, 'o', '192.168.7.7'), 'image', FACTS);
    expect(publish).toEqual([
      { hostAddress: '127.0.0.1', hostPort: 0, containerPort: 20_000 },
      { hostAddress: '192.168.7.7', hostPort: 9000, containerPort: 20_001 },
      { hostAddress: '192.168.7.7', hostPort: 0, containerPort: 20_002 },
    ]);
  });

  it('opens no way in for a stdio server', () => {
    const plan = makePlan({ transport: 'stdio' });
    const layout = planIsolation(plan, 'o', '127.0.0.1');
    expect(layout.ingresses).toEqual([]);
    expect(layout.targetIngress).toBeUndefined();
    expect(readFile(plan, 'start.sh')).not.toContain('haproxy');
  });

  it('runs the gateway without root, capabilities and mounts', () => {
    const plan = makePlan();
    const spec = planGateway(plan, planIsolation(plan, 'o', '127.0.0.1'), 'image', FACTS);
    expect(spec).toMatchObject({ user: '65534:65534', mounts: [], interactive: false });
    expect(spec.capabilities).toBeUndefined();
    expect(spec.extraHosts).toBeUndefined();
  });

  it(`${proves('R-4.1-22')} isolates nothing on other networks, for remotes, or when it was opted out`, () => {
    expect(isIsolated(makePlan())).toBe(true);
    expect(isIsolated(makePlan({ network: { mode: 'bridge' } }))).toBe(true);
    expect(isIsolated(makePlan({ network: { isolate: false, allowDockerGateway: true } }))).toBe(false);
    expect(isIsolated(makePlan({ network: { mode: 'host' } }))).toBe(false);
    expect(isIsolated(makePlan({ server: { kind: 'remote', url: 'https://x.example/' } }))).toBe(false);
  });
});

describe('the rules of the gateway', () => {
  const rules = (profile: PlanInput['profile'], allowDockerGateway = false): readonly string[] =>
    readFile(makePlan({ profile, network: { allowDockerGateway } }), 'squid.conf')
      .split('\n')
      .filter((line) => line.startsWith('http_access'))
      .map((line) => line.replace('http_access ', ''));
  const head = ['deny manager', 'deny !inside', 'deny !plain', 'deny !CONNECT !web'];
  const tail = ['deny ipv6', 'deny shut', 'allow all'];

  it(`${proves('K-4-03', 'R-4.1-24')} let everything public out when the profile allows all`, () => {
    expect(rules({ network: { outbound: { insecure_allow_all: true } } })).toEqual([
      ...head,
      'deny gateway',
      ...tail,
    ]);
  });

  it('let nothing out when the profile names nothing', () => {
    expect(rules({})).toEqual([...head, 'deny gateway', 'deny all', ...tail]);
    expect(rules({}, true)).toEqual([...head, 'allow gateway', 'deny all', ...tail]);
  });

  it('judge by text before a name is looked up', () => {
    const given = { network: { outbound: { allow_host: ['example.com'], allow_port: [443] } } };
    expect(rules(given)).toEqual([
      ...head,
      'deny gateway',
      'deny !allowed_host',
      'deny !allowed_port',
      ...tail,
    ]);
  });

  it('hold only what a list says when the other is empty', () => {
    expect(rules({ network: { outbound: { allow_host: ['example.com'] } } })).not.toContain(
      'deny !allowed_port',
    );
    expect(rules({ network: { outbound: { allow_port: [443] } } })).not.toContain('deny !allowed_host');
  });

  it('open gateway addresses only with the flag', () => {
    const gateway = (allowDockerGateway: boolean) =>
      /^acl gateway .*$/m.exec(readFile(makePlan({ network: { allowDockerGateway } }), 'squid.conf'))?.[0];
    expect(gateway(false)).toBe(
      'acl gateway dstdomain -n host.docker.internal gateway.docker.internal host.containers.internal',
    );
    expect(gateway(true)).toContain(' 172.17.0.1');
  });
});
