import type Dockerode from 'dockerode';
import { BerthError } from '../../../sources/errors.ts';
import type { NetworkInfo, NetworkSpec } from '../engine.ts';
import { statusOf } from '../engine-failure.ts';
import { ask, type DockerContext } from './docker-context.ts';

export async function createNetwork(context: DockerContext, spec: NetworkSpec): Promise<NetworkInfo> {
  const network = await ask(context, `create network ${spec.name}`, () =>
    context.docker.createNetwork({
      Name: spec.name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Internal: spec.internal,
      ...(spec.subnet !== undefined && { IPAM: { Driver: 'default', Config: [{ Subnet: spec.subnet }] } }),
      Labels: { ...spec.labels },
      Options: { ...spec.options },
    }),
  );
  const info = await inspectNetwork(context, network.id);
  if (!info) throw new BerthError('engine_failed', `Network ${spec.name} vanished after it was created.`);
  return info;
}

export function inspectNetwork(context: DockerContext, name: string): Promise<NetworkInfo | undefined> {
  return ask(context, `inspect network ${name}`, async () => {
    try {
      return readNetwork(await context.docker.getNetwork(name).inspect());
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
}

export function listNetworks(
  context: DockerContext,
  labels: readonly string[],
): Promise<readonly NetworkInfo[]> {
  return ask(context, 'list networks', async () => {
    const found = await context.docker.listNetworks({ filters: { label: [...labels] } });
    return found.map(readNetwork);
  });
}

export function removeNetwork(context: DockerContext, name: string): Promise<void> {
  return ask(context, `remove network ${name}`, async () => {
    try {
      await context.docker.getNetwork(name).remove();
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  });
}

function readNetwork(found: Dockerode.NetworkInspectInfo): NetworkInfo {
  const pools = found.IPAM?.Config ?? [];
  const valuesOf = (key: 'Subnet' | 'Gateway'): string[] =>
    pools.map((pool) => pool[key] ?? '').filter((value) => value !== '');
  return {
    id: found.Id,
    name: found.Name,
    labels: found.Labels ?? {},
    subnets: valuesOf('Subnet'),
    gateways: valuesOf('Gateway'),
  };
}
