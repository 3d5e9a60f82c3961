import { BerthError } from '../../sources/errors.ts';
import type { Plan } from '../run/plan.ts';
import { answersHttp, type HealthTarget } from './check-health.ts';
import { chooseTargetPort } from './choose-target-port.ts';
import { cleanEngine } from './clean-engine.ts';
import { connectServer } from './connect-server.ts';
import { ContainerLauncher } from './container-launcher.ts';
import type { ClosingSteps } from './open-parts.ts';
import type { OpenedServer, ServerContext } from './opened-server.ts';
import { buildServerEnvironment } from './server-environment.ts';

/** Opens the way in and out of a container, and what will run in it. */
export async function openContainerServer(
  context: ServerContext,
  closing: ClosingSteps,
): Promise<OpenedServer> {
  const { options, state, log, readSecret, signal } = context;
  const { paths, directories, env } = options;
  const { name } = state.plan;
  const engine = await options.findEngine();
  // What a supervisor that was killed left behind would stand in the way.
  await cleanEngine(engine, paths.owner, name);
  const imageId = state.imageId ?? '';
  const image = await engine.findImage(imageId);
  if (image === undefined) {
    throw new BerthError('image_gone', `The image of "${name}" is no longer there (${imageId}).`, {
      fix: `Start it again with \`berth start ${name}\`.`,
    });
  }
  const port = chooseTargetPort(state.plan, image);
  const plan: Plan =
    state.plan.transport === 'stdio' ? state.plan : { ...state.plan, target: { ...state.plan.target, port } };
  // Secrets that are missing are told before anything is made.
  const readEnvironment = () => buildServerEnvironment(plan, port, readSecret);
  await readEnvironment();
  const { openIsolation } = await import('../isolation/open-isolation.ts');
  const isolation = await openIsolation(engine, plan, {
    owner: paths.owner,
    env,
    log,
    bindHost: plan.proxy.host,
    signal,
  });
  closing.add(() => isolation.close());
  const connection = await connectServer(plan, log);
  closing.add(() => connection.backend.close());
  const launcher = new ContainerLauncher({
    engine,
    plan,
    imageId,
    owner: paths.owner,
    isolation,
    connection,
    readEnvironment,
    serverLog: context.serverLog,
    log,
    async resolveMounts() {
      const { resolveMounts } = await import('../isolation/resolve-mounts.ts');
      return resolveMounts(plan, {
        cwd: directories.home,
        configDirectory: directories.config,
        runtimeDirectory: paths.runtime(name),
      });
    },
  });
  closing.add(() => launcher.end());
  return {
    plan,
    engine,
    launcher,
    backend: connection.backend,
    contributions: [],
    ...(plan.transport === 'stdio' ? {} : { askHealth: () => askTarget(connection.target()) }),
  };
}

function askTarget(target: HealthTarget | undefined): Promise<boolean> | undefined {
  return target && answersHttp(target);
}
