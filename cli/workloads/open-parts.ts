import { messageOf } from '../../sources/errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { Contribution } from '../proxy/exchange.ts';
import type { ProxyLog, Proxy as RunningProxy } from '../proxy/proxy.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { UserDirectories } from '../user-directories.ts';
import { assembleContributions } from './assemble-contributions.ts';
import { awaitReady } from './await-ready.ts';
import type { Clock } from './clock.ts';
import type { OpenedServer, ServerContext } from './opened-server.ts';
import { createLineOutput, createProxyLog } from './proxy-log.ts';
import { RotatingLog, type RotationLimits } from './rotating-log.ts';
import type { SupervisedParts } from './supervised-parts.ts';
import type { WorkloadPaths } from './workload-paths.ts';
import type { WorkloadState } from './workload-state.ts';

export interface OpenPartsOptions {
  readonly directories: UserDirectories;
  readonly paths: WorkloadPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** How long the server may take to answer after each start. Milliseconds. */
  readonly timeoutMs: number;
  /** Called only for servers that run in a container. */
  readonly findEngine: () => Promise<Engine>;
  readonly openSecrets: () => Promise<SecretStore>;
  readonly rotation?: RotationLimits;
}

/** How long each kind of refusal may last while a server starts, until it is taken for its final word. */
const CONTAINER_PATIENCE = { server_refused: 5_000, server_not_mcp: 15_000, server_unauthorized: 5_000 };
const REMOTE_PATIENCE = {
  server_refused: 0,
  server_not_mcp: 0,
  server_unauthorized: 0,
  server_unreachable: 8_000,
  remote_auth_lost: 0,
  remote_auth_unavailable: 8_000,
};

/**
 * Opens what a workload is made of: logs, server, contributions, proxy. The order of closing is the reverse, so that
 * clients are let go before their server ends.
 *
 * @throws BerthError of the room that cannot be opened; what was opened before is closed
 */
export async function openParts(
  state: WorkloadState,
  options: OpenPartsOptions,
  signal: AbortSignal,
): Promise<SupervisedParts> {
  const { paths, clock, directories, env } = options;
  const { name } = state.plan;
  const closing = new ClosingSteps();
  try {
    const serverLog = new RotatingLog(paths.serverLog(name), options.rotation);
    closing.add(() => serverLog.close());
    const proxyFile = new RotatingLog(paths.proxyLog(name), options.rotation);
    closing.add(() => proxyFile.close());
    const log = createProxyLog(proxyFile, state.plan.debug, () => clock.now());
    closing.log = log;
    const secrets = await options.openSecrets();
    const readSecret = (secret: string) => requireSecret(secrets, secret);
    const isRemote = state.plan.server.kind === 'remote';
    let onUnauthenticated: (reason: string) => void = () => {};
    const shared: ServerContext = {
      options,
      state,
      log,
      secrets,
      readSecret,
      signal,
      serverLog: (piece) => void serverLog.write(piece),
      onUnauthenticated: (reason) => onUnauthenticated(reason),
    };
    // Each brings libraries that the other does without; a supervisor stays for long.
    const server = isRemote
      ? await (await import('./open-remote-server.ts')).openRemoteServer(shared, closing)
      : await (await import('./open-container-server.ts')).openContainerServer(shared, closing);
    const output = createLineOutput(proxyFile);
    const contributions = await assembleContributions(server.plan, {
      env,
      log,
      output,
      secrets,
      backend: server.backend,
    });
    for (const contribution of [...server.contributions, ...contributions])
      closing.add(() => contribution.close());
    const proxy = await bindProxy(server, state, log, [...contributions, ...server.contributions]);
    closing.add(() => proxy.close());
    return {
      owner: paths.owner,
      engine: server.engine,
      launcher: server.launcher,
      awaitReady: (until) =>
        awaitReady(server.backend, {
          clock,
          signal: until,
          timeoutMs: options.timeoutMs,
          patience: isRemote ? REMOTE_PATIENCE : CONTAINER_PATIENCE,
          // A server that is given the token of its caller refuses us who have none.
          goodEnough: state.plan.tokenExchange === undefined ? [] : ['server_unauthorized'],
        }),
      proxy,
      log,
      ...(server.askHealth === undefined ? {} : { askHealth: server.askHealth }),
      async onReady({ plan: { group, transport }, url = proxy.url }) {
        const { addToClients, removeFromClients } = await import('../clients/update-clients.ts');
        const tell = (warnings: readonly string[]) => {
          for (const warning of warnings) log('warn', {}, warning);
        };
        closing.add(async () => tell(await removeFromClients(directories, name)));
        tell(await addToClients(directories, { name, url, transport, group }));
      },
      onUnauthenticated(listener) {
        onUnauthenticated = listener;
      },
      close: () => closing.run(),
    };
  } catch (error) {
    await closing.run();
    throw error;
  }
}

async function bindProxy(
  { plan, backend }: OpenedServer,
  { port }: WorkloadState,
  log: ProxyLog,
  contributions: readonly Contribution[],
): Promise<RunningProxy> {
  const { startProxy } = await import('../proxy/start-proxy.ts');
  const bound = plan.proxy.port ?? port;
  const proxy = bound === undefined ? plan.proxy : { ...plan.proxy, port: bound };
  return startProxy({ plan: { ...plan, proxy }, backend, contributions, log });
}

/** Steps that undo what was done, last first. One that fails is logged and keeps none of the others from it. */
export class ClosingSteps {
  readonly #steps: (() => Promise<void> | void)[] = [];
  log: ProxyLog = () => {};

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.log('error', { error: messageOf(error) }, 'something of the workload could not be ended');
      }
    }
  }
}
