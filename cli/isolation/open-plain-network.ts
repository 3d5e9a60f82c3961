import { BerthError } from '../../sources/errors.ts';
import type { ContainerInfo, Engine } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import { isBridgeMode } from './decide-isolation.ts';
import { findTarget } from './find-target.ts';
import { findBindAddress } from './host-facts.ts';
import type { Isolation, IsolationContext, ServerNetworking } from './isolation.ts';
import { removeIsolation } from './remove-isolation.ts';

/**
 * Opens the network of a workload that is not isolated: the bridge of the engine, the host's, none, that of another
 * container, or a network of the user (specification 1, `--network`). Ports are published on loopback, where the host
 * reaches them whether the engine runs beside us or in a virtual machine.
 *
 * @throws BerthError `isolation_no_network` when an HTTP server has no network, `isolation_unknown_network`
 */
export async function openPlainNetwork(
  engine: Engine,
  plan: Plan,
  context: IsolationContext,
): Promise<Isolation> {
  const mode = isBridgeMode(plan.network.mode) ? 'bridge' : (plan.network.mode ?? 'bridge');
  const target = plan.transport === 'stdio' ? undefined : plan.target.port;
  await checkNetwork(engine, mode, plan);
  await removeIsolation(engine, plan.name, context.owner);
  const publishes = canPublish(mode);
  if (!publishes && plan.network.publish.length > 0) {
    context.log('warn', { network: mode }, `--publish has no effect with --network ${mode}.`);
  }
  const server: ServerNetworking = {
    network: mode,
    env: {},
    publish: publishes ? await listPublished(plan, target, context.bindHost) : [],
  };
  const neighbour = /^container:(.+)$/.exec(mode)?.[1];
  let neighbourAddress: string | undefined;

  return {
    isolated: false,
    server,
    targetFor: (info) => {
      const published = target === undefined ? undefined : info.publishedPorts[target];
      if (published !== undefined || target === undefined) return findTarget(plan, published);
      if (mode === 'host') return findTarget(plan, target);
      const address = neighbour === undefined ? findAddress(info) : neighbourAddress;
      // An internal network of the user's publishes nothing, but its bridge is the host's.
      if (address !== undefined) return { host: address, port: target };
      return findTarget(plan, undefined);
    },
    afterServerStart: async () => {
      if (neighbour === undefined) return;
      const info = await engine.inspectContainer(neighbour);
      neighbourAddress = info && (findAddress(info) ?? '127.0.0.1');
    },
    refusals: () => 0,
    repair: async () => {},
    close: async () => {},
  };
}

async function checkNetwork(engine: Engine, mode: string, plan: Plan): Promise<void> {
  if (mode === 'none' && plan.transport !== 'stdio') {
    throw new BerthError(
      'isolation_no_network',
      `A server with the transport ${plan.transport} cannot be reached with --network none.`,
      { at: { flag: '--network' }, fix: 'Use a stdio server, or another network.' },
    );
  }
  const neighbour = /^container:(.+)$/.exec(mode)?.[1];
  if (neighbour !== undefined) {
    if (await engine.inspectContainer(neighbour)) return;
    throw new BerthError(
      'isolation_unknown_network',
      `There is no container ${neighbour} to share a network with.`,
      {
        at: { flag: '--network' },
      },
    );
  }
  if (['bridge', 'host', 'none'].includes(mode) || (await engine.inspectNetwork(mode))) return;
  throw new BerthError('isolation_unknown_network', `The container engine has no network ${mode}.`, {
    at: { flag: '--network' },
    fix: `Create it first, for example with \`docker network create ${mode}\`.`,
  });
}

function canPublish(mode: string): boolean {
  return mode !== 'host' && mode !== 'none' && !mode.startsWith('container:');
}

async function listPublished(plan: Plan, target: number | undefined, bindHost: string) {
  const hostAddress = plan.network.publish.length > 0 ? await findBindAddress(bindHost) : '127.0.0.1';
  return [
    ...(target === undefined ? [] : [{ hostAddress: '127.0.0.1', hostPort: 0, containerPort: target }]),
    ...plan.network.publish.map(({ host, container }) => ({
      hostAddress,
      hostPort: host ?? 0,
      containerPort: container,
    })),
  ];
}

function findAddress(info: ContainerInfo): string | undefined {
  return Object.values(info.addresses)[0];
}
