import { posix } from 'node:path';
import type Dockerode from 'dockerode';
import type { ContainerSpec } from '../engine.ts';

type Options = Dockerode.ContainerCreateOptions;

/**
 * What the engine's API takes for a container, hardened as contract 3 has it: no capability but those named, no new
 * privileges, an init process, a limit of processes, no restart by the engine.
 */
export function createContainerOptions(spec: ContainerSpec): Options {
  const ports = spec.publish ?? [];
  const first = spec.network === undefined ? spec.networks?.[0] : undefined;
  return {
    Image: spec.image,
    Labels: { ...spec.labels },
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    ...(spec.entrypoint && { Entrypoint: [...spec.entrypoint] }),
    ...(spec.command && { Cmd: [...spec.command] }),
    ...(spec.user !== undefined && { User: spec.user }),
    Tty: false,
    OpenStdin: spec.interactive,
    // The server sees the end of its input when the client of `attach` ends it.
    StdinOnce: spec.interactive,
    ...(ports.length > 0 && {
      ExposedPorts: Object.fromEntries(ports.map(({ containerPort }) => [`${containerPort}/tcp`, {}])),
    }),
    ...createVolumes(spec),
    HostConfig: createHostConfig(spec, first?.name),
    ...(first && { NetworkingConfig: { EndpointsConfig: { [first.name]: createEndpoint(first) } } }),
  };
}

/** The settings of a container in one network. */
export function createEndpoint(
  network: NonNullable<ContainerSpec['networks']>[number],
): Dockerode.EndpointSettings {
  const { address, aliases } = network;
  return {
    ...(aliases && { Aliases: [...aliases] }),
    ...(address !== undefined && {
      IPAMConfig: address.includes(':') ? { IPv6Address: address } : { IPv4Address: address },
    }),
  };
}

function createHostConfig(spec: ContainerSpec, firstNetwork: string | undefined): Dockerode.HostConfig {
  const network = spec.network ?? firstNetwork;
  return {
    CapDrop: ['ALL'],
    ...(spec.capabilities && { CapAdd: [...spec.capabilities] }),
    SecurityOpt: ['no-new-privileges'],
    Privileged: spec.privileged ?? false,
    Init: true,
    PidsLimit: spec.pids,
    ReadonlyRootfs: spec.readOnlyRoot,
    Tmpfs: {
      ...(spec.readOnlyRoot && { '/tmp': 'rw,nosuid,nodev,mode=1777' }),
      ...spec.tmpfs,
    },
    // Without a limit of its own, swap would double the memory.
    ...(spec.memoryBytes !== undefined && { Memory: spec.memoryBytes, MemorySwap: spec.memoryBytes }),
    ...(spec.cpus !== undefined && { NanoCpus: Math.round(spec.cpus * 1e9) }),
    RestartPolicy: { Name: 'no' },
    // Whatever the engine's default is, the lines of a crashed container can be read and do not fill the disk.
    LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
    Mounts: spec.mounts.map(({ source, target, readOnly }) => ({
      Type: 'bind',
      Source: source,
      Target: target,
      ReadOnly: readOnly,
    })),
    ...(network !== undefined && { NetworkMode: network }),
    ...(spec.dns && { Dns: [...spec.dns] }),
    ...(spec.extraHosts && { ExtraHosts: [...spec.extraHosts] }),
    ...(spec.sysctls && { Sysctls: { ...spec.sysctls } }),
    ...(spec.publish && { PortBindings: createPortBindings(spec.publish) }),
  };
}

function createPortBindings(publish: NonNullable<ContainerSpec['publish']>) {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { containerPort, hostAddress, hostPort } of publish) {
    const port = `${containerPort}/tcp`;
    const binding = { HostIp: hostAddress, HostPort: hostPort === 0 ? '' : String(hostPort) };
    bindings[port] = [...(bindings[port] ?? []), binding];
  }
  return bindings;
}

/** The engine writes no files into a read-only root, but it does into a volume. */
function createVolumes(spec: ContainerSpec): Pick<Options, 'Volumes'> {
  if (!spec.readOnlyRoot || !spec.files?.length) return {};
  return { Volumes: Object.fromEntries(spec.files.map(({ path }) => [posix.dirname(path), {}])) };
}
