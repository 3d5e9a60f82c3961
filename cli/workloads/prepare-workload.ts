import { BerthError } from '../../sources/errors.ts';
import type { Engine, EngineProgress } from '../engine/engine.ts';
import type { Plan, ProtocolServer } from '../run/plan.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { UserDirectories } from '../user-directories.ts';
import { prepareImage } from './prepare-image.ts';
import { findWorkloadPaths } from './workload-paths.ts';

export interface PrepareOptions {
  /** Called only for servers that run in a container. */
  readonly findEngine: () => Promise<Engine>;
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly openSecrets: () => Promise<SecretStore>;
  /** A step begins, or comes further. */
  readonly onProgress: (progress: EngineProgress) => void;
  readonly onWarning: (line: string) => void;
  /** Whether a person sits in front of this process. */
  readonly isTerminal: boolean;
  readonly showLink: (url: string, opensBrowser: boolean) => void;
  /** Said when neither the engine nor a registry has the image: what the registry of servers answered to that word. */
  readonly onImageMissing?: ((imageAnswer: string) => BerthError) | undefined;
  /** Id of the image that ran before; taken again when it is still there. */
  readonly previousImageId?: string | undefined;
}

/** What the caller's terminal made ready for the supervisor. */
export interface Prepared {
  /** Id of exactly the image that was verified; undefined for a remote server. */
  readonly imageId: string | undefined;
}

/**
 * Makes everything ready that may take long or ask something: image (verified, pulled or built) or login at a remote
 * server. Runs in the process of the user, whose terminal it may use; starts nothing.
 *
 * @throws BerthError `engine_*`, `build_*`, and of verification and login
 */
export async function prepareWorkload(plan: Plan, options: PrepareOptions): Promise<Prepared> {
  if (plan.server.kind === 'remote') {
    await prepareLogin(plan, options);
    return { imageId: undefined };
  }
  const engine = await options.findEngine();
  const { previousImageId } = options;
  if (previousImageId !== undefined && (await engine.findImage(previousImageId)) !== undefined) {
    return { imageId: previousImageId };
  }
  const { onProgress, onWarning, signal } = options;
  if (plan.server.kind === 'protocol') return { imageId: await buildImage(plan.server, engine, options) };
  try {
    const { id } = await prepareImage(engine, plan.server.image, { onProgress, onWarning, signal });
    return { imageId: id };
  } catch (error) {
    if (options.onImageMissing && error instanceof BerthError && !signal.aborted) {
      throw options.onImageMissing(error.message);
    }
    throw error;
  }
}

async function buildImage(
  server: ProtocolServer,
  engine: Engine,
  { directories, env, openSecrets, onProgress, signal }: PrepareOptions,
): Promise<string> {
  const { planBuild } = await import('../build/plan-build.ts');
  const { ensureBuilt } = await import('../build/ensure-built.ts');
  const { readBuildSettings } = await import('./read-build-settings.ts');
  const { settings, caCert } = await readBuildSettings(directories, env, openSecrets);
  const trusting = server.caCert === undefined && caCert !== undefined ? { ...server, caCert } : server;
  const { image } = await ensureBuilt(engine, await planBuild(trusting, settings), onProgress, signal);
  const { changeBuiltImages } = await import('./built-images.ts');
  await changeBuiltImages(findWorkloadPaths(directories), (ids) => [...ids, image.id]);
  return image.id;
}

async function prepareLogin(
  plan: Plan,
  { openSecrets, isTerminal, showLink }: PrepareOptions,
): Promise<void> {
  if (plan.remoteAuth?.enabled !== true) return;
  const { prepareRemoteLogin } = await import('../remote/prepare-remote-login.ts');
  await prepareRemoteLogin(plan, {
    secrets: await openSecrets(),
    isTerminal,
    clientMetadataUrl: undefined,
    showLink,
  });
}
