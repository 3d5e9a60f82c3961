import type { Duplex, Readable } from 'node:stream';

/** An image as the engine knows it. */
export interface ImageInfo {
  readonly id: string;
  /** `name@sha256:…` of every registry it was pulled from. */
  readonly digests: readonly string[];
  readonly user: string;
  /** Container ports of `EXPOSE`, TCP only, ascending. */
  readonly exposedPorts: readonly number[];
  readonly labels: Readonly<Record<string, string>>;
}

export interface Mount {
  /** Absolute path on the host. */
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** A container to create. Hardening of contract 3 is applied to every one. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Replaces the entrypoint of the image. */
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Small files written into the container before it starts. Mode in octal as a number, 0o644 when absent. */
  readonly files?: readonly { readonly path: string; readonly content: string; readonly mode?: number }[];
  /** `bridge`, `host`, `none`, `container:…` or a network name; further networks are joined before the start. */
  readonly network?: string;
  readonly networks?: readonly {
    readonly name: string;
    readonly aliases?: readonly string[];
    readonly address?: string;
  }[];
  readonly dns?: readonly string[];
  readonly extraHosts?: readonly string[];
  /** `hostPort` 0 lets the engine choose. */
  readonly publish?: readonly {
    readonly hostAddress: string;
    readonly hostPort: number;
    readonly containerPort: number;
  }[];
  /** Keeps standard input open for `attach`. */
  readonly interactive: boolean;
  readonly memoryBytes?: number;
  readonly cpus?: number;
  readonly pids: number;
  readonly readOnlyRoot: boolean;
  readonly privileged?: boolean;
  /** Capabilities added to none (the gateway needs some). */
  readonly capabilities?: readonly string[];
  readonly tmpfs?: Readonly<Record<string, string>>;
  readonly sysctls?: Readonly<Record<string, string>>;
}

export interface ContainerInfo {
  readonly id: string;
  readonly name: string;
  readonly running: boolean;
  readonly exitCode: number | undefined;
  /** Milliseconds since the epoch of the last start. */
  readonly startedAt: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Id of the image, `sha256:…`. */
  readonly image: string;
  /** Address by network name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Host port by container port, for published TCP ports of a running container. */
  readonly publishedPorts: Readonly<Record<number, number>>;
}

export interface NetworkSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly internal: boolean;
  /** Absent: the engine chooses one. Containers get an `address` of their own only in a network with a subnet given. */
  readonly subnet?: string;
  readonly options: Readonly<Record<string, string>>;
}

export interface NetworkInfo {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly subnets: readonly string[];
  /** Gateway addresses of the subnets. */
  readonly gateways: readonly string[];
}

/** The standard streams of a running container, separated. */
export interface AttachedStreams {
  readonly stdin: Duplex;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the engine closes the streams: the container ended or the engine went away. */
  readonly closed: Promise<void>;
  destroy(): void;
}

export interface ContainerEvent {
  readonly containerId: string;
  readonly name: string;
  readonly action: 'start' | 'die' | 'destroy' | 'oom';
  readonly exitCode: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Watch {
  /** Resolves when events are reported for the first time, or the watch was stopped before. */
  readonly ready: Promise<void>;
  /** Ends the watch. */
  stop(): void;
}

/** Progress of a pull or build: what is happening, and how much of it is done when that is known (bytes or steps). */
export interface EngineProgress {
  readonly text: string;
  readonly done?: number;
  readonly total?: number;
}

/**
 * The container engine (Docker or Podman) as Berth uses it. Every method throws BerthError with a code `engine_*` that
 * says what the engine answered; `engine_unavailable` when it cannot be reached.
 */
export interface Engine {
  /** The socket or URL it is reached by. */
  readonly address: string;
  describe(): Promise<{
    readonly version: string;
    readonly apiVersion: string;
    readonly architecture: string;
    readonly rootless: boolean;
  }>;
  /** undefined when there is no such image locally. */
  findImage(reference: string): Promise<ImageInfo | undefined>;
  /** @throws BerthError `engine_image_not_found` when the registry of the image has none, `engine_pull_failed` otherwise */
  pullImage(
    reference: string,
    onProgress: (progress: EngineProgress) => void,
    signal?: AbortSignal,
  ): Promise<ImageInfo>;
  /** @param context an uncompressed tar holding a Dockerfile
   *  @throws BerthError `engine_build_failed` with the last lines of the build; leaves no container behind */
  buildImage(
    options: {
      readonly context: Readable;
      readonly tag: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly buildArgs?: Readonly<Record<string, string>>;
    },
    onProgress: (progress: EngineProgress) => void,
    signal?: AbortSignal,
  ): Promise<ImageInfo>;
  listImages(label: string): Promise<
    readonly {
      readonly id: string;
      readonly tags: readonly string[];
      readonly labels: Readonly<Record<string, string>>;
    }[]
  >;
  removeImage(id: string): Promise<void>;
  /** Answers the id. @throws BerthError `engine_name_taken` when a container of that name exists */
  createContainer(spec: ContainerSpec): Promise<string>;
  startContainer(id: string): Promise<void>;
  /** Does nothing when it is not running. */
  stopContainer(id: string, graceSeconds: number): Promise<void>;
  /** Kills and removes it with its anonymous volumes; does nothing when it is gone. */
  removeContainer(id: string): Promise<void>;
  inspectContainer(idOrName: string): Promise<ContainerInfo | undefined>;
  listContainers(labels: readonly string[]): Promise<readonly ContainerInfo[]>;
  attachContainer(id: string): Promise<AttachedStreams>;
  /** Resolves with the exit code when the container ends. */
  waitForContainer(id: string): Promise<number>;
  /** A tar of a file or directory of a container, running or not; its entries start with the last part of the path. */
  copyFromContainer(id: string, path: string): Promise<Readable>;
  /** Lines of standard output and error, oldest first. `tail` Infinity means all. */
  readLogs(id: string, tail: number): Promise<string>;
  /** Follows both streams from now (or from the start), raw text; ends when the container does. */
  followLogs(id: string, options: { readonly fromStart: boolean }): Promise<Readable>;
  execInContainer(
    id: string,
    command: readonly string[],
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
  createNetwork(spec: NetworkSpec): Promise<NetworkInfo>;
  inspectNetwork(name: string): Promise<NetworkInfo | undefined>;
  listNetworks(labels: readonly string[]): Promise<readonly NetworkInfo[]>;
  /** Does nothing when it is gone. */
  removeNetwork(name: string): Promise<void>;
  /**
   * Reports events of containers with the label until stopped. Reconnects when the engine restarts: `onLost` when the
   * engine goes away, `onBack` when it answers again.
   */
  watchContainers(
    label: string,
    handlers: { onEvent(event: ContainerEvent): void; onLost(): void; onBack(): void },
  ): Watch;
}

/** Labels of everything Berth creates in an engine. */
export const LABELS = {
  /** `true` on everything. */
  managed: 'dev.berth.managed',
  /** Name of the workload. */
  workload: 'dev.berth.workload',
  /** `server` or `gateway`. */
  role: 'dev.berth.role',
  /** The state directory the workload belongs to, as a hash: two users of one engine do not touch each other's. */
  owner: 'dev.berth.owner',
  transport: 'dev.berth.transport',
  group: 'dev.berth.group',
  /** On images built by Berth: the hash of what went in. */
  build: 'dev.berth.build',
} as const;
