import type Dockerode from 'dockerode';
import type { ContainerInfo } from '../engine.ts';
import { statusOf } from '../engine-failure.ts';
import { ask, type DockerContext } from './docker-context.ts';

export function inspectContainer(
  context: DockerContext,
  idOrName: string,
): Promise<ContainerInfo | undefined> {
  return ask(context, `inspect container ${idOrName}`, async () => {
    try {
      return readInspection(await context.docker.getContainer(idOrName).inspect());
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
}

/** All containers, running or not, that carry every label (`key` or `key=value`). */
export function listContainers(
  context: DockerContext,
  labels: readonly string[],
): Promise<readonly ContainerInfo[]> {
  return ask(context, 'list containers', async () => {
    const found = await context.docker.listContainers({ all: true, filters: { label: [...labels] } });
    // What the list leaves out (exit code, start) is read one by one; some may be gone by then.
    const read = await Promise.all(found.map(({ Id }) => inspectContainer(context, Id)));
    return read.filter((info) => info !== undefined);
  });
}

function readInspection(found: Dockerode.ContainerInspectInfo): ContainerInfo {
  const running = found.State.Running;
  const addresses: Record<string, string> = {};
  for (const [name, network] of Object.entries(found.NetworkSettings.Networks ?? {})) {
    if (network.IPAddress) addresses[name] = network.IPAddress;
  }
  const publishedPorts: Record<number, number> = {};
  for (const [port, bindings] of Object.entries(found.NetworkSettings.Ports ?? {})) {
    const hostPort = Number(bindings?.[0]?.HostPort);
    if (port.endsWith('/tcp') && hostPort > 0) publishedPorts[Number.parseInt(port, 10)] = hostPort;
  }
  const startedAt = Date.parse(found.State.StartedAt);
  return {
    id: found.Id,
    name: found.Name.replace(/^\//, ''),
    running,
    exitCode: running || found.State.Status === 'created' ? undefined : found.State.ExitCode,
    startedAt: startedAt > 0 ? startedAt : 0,
    labels: found.Config.Labels ?? {},
    image: found.Image,
    addresses,
    publishedPorts,
  };
}
