import { setTimeout as wait } from 'node:timers/promises';
import { BerthError } from '../../sources/errors.ts';
import {
  type AttachedStreams,
  type ContainerEvent,
  type ContainerInfo,
  type ContainerSpec,
  type Engine,
  LABELS,
} from '../engine/engine.ts';
import type { Isolation } from '../isolation/isolation.ts';
import type { ResolvedMounts } from '../isolation/mounts.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { Plan } from '../run/plan.ts';
import type { ServerConnection } from './connect-server.ts';
import { describeExit } from './describe-exit.ts';
import type { SupervisedLauncher } from './supervised-parts.ts';

const GRACE_SECONDS = 10;
/** How long the last lines of a container that ended may take to arrive. */
const LAST_LINES_MS = 1_000;

export interface ContainerLauncherOptions {
  readonly engine: Engine;
  readonly plan: Plan;
  /** Id of the image that was prepared; exactly this one runs. */
  readonly imageId: string;
  readonly owner: string;
  readonly isolation: Isolation;
  readonly connection: Pick<ServerConnection, 'attach' | 'connect' | 'detach'>;
  readonly resolveMounts: () => Promise<ResolvedMounts>;
  /** Read at every start, because secrets may have changed. */
  readonly readEnvironment: () => Promise<Readonly<Record<string, string>>>;
  readonly serverLog: (piece: Buffer) => void;
  readonly log: ProxyLog;
}

/** Runs the server of a workload in a container that is made anew for every start. */
export class ContainerLauncher implements SupervisedLauncher {
  readonly #options: ContainerLauncherOptions;
  readonly #name: string;
  #id: string | undefined;
  #outOfMemory = false;
  #streams: AttachedStreams | undefined;
  #printed: Promise<void> = Promise.resolve();

  constructor(options: ContainerLauncherOptions) {
    this.#options = options;
    this.#name = containerName(options.plan.name, options.owner);
  }

  async launch(signal: AbortSignal): Promise<void> {
    const { engine, plan, isolation, connection } = this.#options;
    await this.#remove();
    await isolation.repair();
    const spec = await this.#describe();
    signal.throwIfAborted();
    const id = await this.#create(spec);
    this.#id = id;
    this.#outOfMemory = false;
    if (plan.transport === 'stdio') {
      const streams = await engine.attachContainer(id);
      this.#streams = streams;
      this.#printed = this.#record(streams.stderr);
    }
    signal.throwIfAborted();
    await engine.startContainer(id);
    if (this.#streams !== undefined) connection.attach(this.#streams);
    if (plan.transport !== 'stdio') {
      this.#printed = this.#record(await engine.followLogs(id, { fromStart: true }));
    }
    const info = await this.#inspectRunning(id);
    await isolation.afterServerStart(info);
    if (plan.transport !== 'stdio') connection.connect(isolation.targetFor(info));
  }

  /** The gateway was made anew: the server is reached where that says. */
  async reconnect(): Promise<void> {
    const { isolation, connection, plan, engine } = this.#options;
    await isolation.repair();
    const info = this.#id === undefined ? undefined : await engine.inspectContainer(this.#id);
    if (info?.running !== true) return;
    await isolation.afterServerStart(info);
    if (plan.transport !== 'stdio') connection.connect(isolation.targetFor(info));
  }

  async isIntact(): Promise<boolean> {
    const { engine, plan } = this.#options;
    if (this.#id === undefined) return false;
    const info = await engine.inspectContainer(this.#id);
    if (info?.running !== true) return false;
    if (plan.transport === 'stdio')
      return this.#streams !== undefined && !(await isSettled(this.#streams.closed));
    await this.reconnect();
    return true;
  }

  /** What an event of the engine means: that this server ended (after its last lines were written), or nothing. */
  async takeEvent(event: ContainerEvent): Promise<BerthError | undefined> {
    if (event.containerId !== this.#id) return undefined;
    if (event.action === 'oom') this.#outOfMemory = true;
    if (event.action !== 'die' && event.action !== 'destroy') return undefined;
    this.#options.connection.detach('the server ended');
    await this.#lastLines();
    return describeExit(event.exitCode, this.#outOfMemory);
  }

  /** Whether an event is about the container that runs now. */
  owns({ containerId }: Pick<ContainerEvent, 'containerId'>): boolean {
    return containerId === this.#id;
  }

  async discard(): Promise<void> {
    this.#options.connection.detach('the server is being stopped');
  }

  /** Stops the container, gently first, and removes it. */
  async end(): Promise<void> {
    if (this.#id !== undefined) await this.#options.engine.stopContainer(this.#id, GRACE_SECONDS);
    await this.#lastLines();
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const { engine, connection } = this.#options;
    connection.detach('the server is being stopped');
    this.#streams?.destroy();
    this.#streams = undefined;
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) await engine.removeContainer(id);
  }

  async #create(spec: ContainerSpec): Promise<string> {
    const { engine } = this.#options;
    try {
      return await engine.createContainer(spec);
    } catch (error) {
      if (!(error instanceof BerthError) || error.code !== 'engine_name_taken') throw error;
      // Left over by a supervisor that was killed: the name holds our own hash, so it is ours.
      await engine.removeContainer(spec.name);
      return engine.createContainer(spec);
    }
  }

  async #describe(): Promise<ContainerSpec> {
    const { plan, owner, imageId, isolation, resolveMounts, readEnvironment, log } = this.#options;
    const { mounts, warnings } = await resolveMounts();
    for (const warning of warnings) log('warn', {}, warning);
    const { limits, server } = plan;
    const networking = isolation.server;
    return {
      ...networking,
      name: this.#name,
      image: imageId,
      labels: {
        ...plan.labels,
        [LABELS.managed]: 'true',
        [LABELS.workload]: plan.name,
        [LABELS.role]: 'server',
        [LABELS.owner]: owner,
        [LABELS.transport]: plan.transport,
        [LABELS.group]: plan.group,
      },
      env: { ...(await readEnvironment()), ...networking.env },
      ...(plan.args.length > 0 && server.kind !== 'remote' ? { command: plan.args } : {}),
      mounts,
      interactive: plan.transport === 'stdio',
      pids: limits.pids,
      readOnlyRoot: limits.readOnlyRoot,
      privileged: plan.profile.privileged,
      ...(limits.memoryBytes === undefined ? {} : { memoryBytes: limits.memoryBytes }),
      ...(limits.cpus === undefined ? {} : { cpus: limits.cpus }),
    };
  }

  async #inspectRunning(id: string): Promise<ContainerInfo> {
    const info = await this.#options.engine.inspectContainer(id);
    if (info?.running === true) return info;
    await this.#lastLines();
    throw describeExit(info?.exitCode, this.#outOfMemory);
  }

  async #lastLines(): Promise<void> {
    await Promise.race([this.#printed, wait(LAST_LINES_MS, undefined, { ref: false })]);
  }

  #record(output: NodeJS.ReadableStream): Promise<void> {
    return new Promise((resolve) => {
      output.on('data', (piece: Buffer | string) => this.#options.serverLog(Buffer.from(piece)));
      output.once('end', resolve);
      output.once('close', resolve);
      output.once('error', () => resolve());
    });
  }
}

/** The name of the container of a workload; two users of one engine may have workloads of one name. */
export function containerName(workload: string, owner: string): string {
  return `berth-${workload}-${owner.slice(0, 8)}`;
}

function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve(false)]);
}
