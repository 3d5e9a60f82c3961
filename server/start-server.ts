import { existsSync, statSync } from 'node:fs';
import { loadConfig } from '../sources/config/load-config.ts';
import type { LoadedConfig } from '../sources/config/schema.ts';
import { watchConfig } from '../sources/config/watch-config.ts';
import { BerthError, messageOf } from '../sources/errors.ts';
import { createCompiler } from '../sources/sync/compiler.ts';
import { createWorkerCompiler } from '../sources/sync/worker-compiler.ts';
import { listAdminRoutes } from './admin/admin-routes.ts';
import { createApp } from './app.ts';
import { readDeclarations } from './declared-records.ts';
import { createInternalListener } from './internal/internal-app.ts';
import type { Readiness } from './internal/readiness.ts';
import { listen } from './listen.ts';
import { createListener } from './listener.ts';
import type { Log } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createOpenApi } from './openapi/create-openapi.ts';
import { Overlay } from './overlay/overlay.ts';
import type { ListenAddress } from './parse-address.ts';
import { RegistryService } from './registry-service.ts';
import { followChanges } from './replicas/follow-changes.ts';
import { buildRuntime, type Runtime, retireRuntime } from './runtime.ts';
import { type ServerRole, SINGLE_PROCESS } from './server-role.ts';
import { type BuiltSite, openBuiltSite } from './site/built-site.ts';
import { keepOpened } from './site/keep-opened.ts';

export interface ServeOptions {
  /** As the user gave it; relative to the working directory. */
  readonly configFile: string;
  readonly address: ListenAddress;
  readonly internalAddress: ListenAddress;
  /** `--auth-mode`: wins over the configuration, also after a reload. */
  readonly authMode?: 'oauth' | 'anonymous';
  readonly log: Log;
  /** Opens the pages of the site; what is built beside the command when absent. */
  readonly openSite?: () => Promise<BuiltSite | undefined>;
  /** Of a process that is one of several; absent when this one is the whole service. */
  readonly role?: ServerRole;
}

export interface RunningServer {
  readonly url: string;
  /** Absent in a worker, which has none. */
  readonly internalUrl: string | undefined;
  /** Ends gracefully: not ready, requests under way finish (30 s), everything is written. */
  close(): Promise<void>;
}

const GRACE_MS = 30_000;
const VERSION = process.env.BERTH_VERSION ?? '0.0.0';

/**
 * Serves a configuration: main and internal server, synchronisation, hot reload (contract 1, 2, 9).
 * @throws BerthError for everything that keeps it from starting; ConfigError with all problems of the configuration
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { log, role = SINGLE_PROCESS } = options;
  const load = () => loadConfig(options.configFile, options.authMode ? { authMode: options.authMode } : {});
  const readAt = modifiedAt(options.configFile);
  const loaded = await (role.readConfig ?? load)();
  const metrics = createMetrics();
  const store = await role.openStore(loaded, log);
  const overlay = await Overlay.open(store);
  const api = await readDeclarations(store);
  let runtime: Runtime | undefined;
  const current = (): Runtime => {
    if (!runtime) throw new BerthError('not_started', 'The server is still starting.');
    return runtime;
  };
  const service = new RegistryService({
    loaded,
    overlay,
    api,
    sharing: role.createSharing(store, loaded.dataDir),
    compiler: createServerCompiler(),
    events: role.createEvents({ log, metrics, audit: () => runtime?.audit }),
  });
  const deps = { log, metrics, world: () => service.world, countRequest: role.countRequest };
  runtime = await buildRuntime(loaded, deps);

  let stopping = false;
  let refusedEdit: string | undefined;
  const readReadiness = async (): Promise<Readiness> => {
    const [trouble, others] = await Promise.all([overlay.listTrouble(), role.listMissing()]);
    const missing = [...new Set([...service.listMissing(), ...trouble, ...others])];
    if (stopping) missing.push('the service is stopping');
    return { ready: missing.length === 0, missing, notes: refusedEdit === undefined ? [] : [refusedEdit] };
  };
  const openapi = writeOpenApi(loaded);
  const openSite = keepOpened(options.openSite ?? openBuiltSite);
  const app = createApp({
    runtime: current,
    service,
    adminRoutes: listAdminRoutes(service, overlay),
    log,
    metrics,
    openapi: () => openapi,
    openSite,
  });

  const exposeMetrics = () => role.exposeMetrics(metrics);
  const internal = role.isWorker
    ? undefined
    : await listen(
        createInternalListener({
          log,
          version: VERSION,
          readReadiness,
          ...(loaded.config.telemetry?.metrics?.enabled === false ? {} : { exposeMetrics }),
        }),
        options.internalAddress,
        '--internal-address',
      );
  const reopenLogs = () => void current().audit.reopen();
  process.on('SIGHUP', reopenLogs);
  // Before the first request: what others change meanwhile is to be seen by it.
  const link = role.linkOf(store);
  const stopFollowing = link && followChanges(link, overlay, service, log);
  const main = await role.serve(createListener(current, { log, metrics }, app), options.address, {
    store,
    service,
    metrics,
    loaded: () => current().loaded,
    countRequest: () => current().countRequest,
  });

  const reload = async (): Promise<void> => {
    const before = current();
    try {
      const next = await load();
      refuseRestartOnly(before.loaded, next);
      runtime = await buildRuntime(next, deps, before);
      service.reload(next);
      refusedEdit = undefined;
      await retireRuntime(before, runtime);
      if (role.isWorker) return;
      log.info({}, 'configuration reloaded');
      runtime.audit.record({ type: 'config.reloaded', outcome: 'success' });
    } catch (error) {
      refusedEdit = `The edited configuration is refused, the one before stays: ${messageOf(error)}`;
      if (role.isWorker) return;
      log.error({ code: error instanceof BerthError ? error.code : undefined }, refusedEdit);
      before.audit.record({ type: 'config.rejected', outcome: 'failure' });
    }
  };
  const watch = watchConfig(options.configFile, {
    onChange: reload,
    onError: (error) => log.error({}, messageOf(error)),
  });
  // An edit between reading the file and watching it.
  void watch.ready.then(() =>
    modifiedAt(options.configFile) === readAt && !role.isWorker ? undefined : reload(),
  );
  // The first page shall not wait for it; whoever asks for one hears what is wrong.
  if (loaded.config.site.enabled) {
    void openSite().catch((error: unknown) =>
      log.error({ err: error }, 'the pages of the site cannot be opened'),
    );
  }
  if (internal) log.info({ address: main.url, internalAddress: internal.url }, 'serving');

  return {
    url: main.url,
    internalUrl: internal?.url,
    close: async () => {
      stopping = true;
      process.off('SIGHUP', reopenLogs);
      await watch.close();
      await main.close(GRACE_MS);
      await stopFollowing?.();
      await service.close();
      await overlay.close();
      await retireRuntime(current(), undefined);
      await internal?.close(1000);
    },
  };
}

/** The built command compiles in a thread of its own; run from source there is no script for one. */
function createServerCompiler() {
  const script = [
    new URL('./compile-worker.js', import.meta.url),
    new URL('../compile-worker.js', import.meta.url),
  ];
  const built = script.find((url) => existsSync(url));
  return built ? createWorkerCompiler(built) : createCompiler();
}

function writeOpenApi({ config: { site, limits } }: LoadedConfig): string {
  const serverUrl = site.baseUrl === undefined ? {} : { serverUrl: site.baseUrl };
  return JSON.stringify(createOpenApi({ version: VERSION, maxPageSize: limits.maxPageSize, ...serverUrl }));
}

/** 0 for a file that is not there. */
function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Data directory and database are opened once. */
function refuseRestartOnly(before: LoadedConfig, next: LoadedConfig): void {
  for (const key of ['dataDir', 'database'] as const) {
    if (JSON.stringify(before.config[key]) === JSON.stringify(next.config[key])) continue;
    throw new BerthError('restart_needed', `${key} cannot be changed while the service runs.`, {
      at: { file: next.file },
      fix: 'Restart the service to use the new value.',
    });
  }
}
